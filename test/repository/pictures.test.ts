import { readManifest, shownInPictures } from '../../dev/scripts/pictures.mts';

it('the pictures match the build (update them with "npm run screenshots")', async () => {
	expect(await readManifest()).toEqual(await shownInPictures());
});
