import { readManifest, shownInPictures } from '../../dev/scripts/pictures.mts';

it('the pictures show what is built: else take them anew with "npm run screenshots"', async () => {
	expect(await readManifest()).toEqual(await shownInPictures());
});
