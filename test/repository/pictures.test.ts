import { filesIn, text } from '../support/shipped.mts';

const pictures = filesIn('docs/images', '.png').map((path) => path.replace('docs/images/', ''));

it('the manifest has every picture', () => {
	const manifest = JSON.parse(text('docs/images/manifest.json')) as object;
	expect(Object.keys(manifest)).toEqual(pictures.sort());
});

it('every picture is on a page', () => {
	const pages = ['.', 'docs', 'examples', 'sandbox']
		.flatMap((folder) => filesIn(folder, '.md', false))
		.map(text);
	const isShown = (picture: string) => pages.some((page) => page.includes(`images/${picture})`));
	expect(pictures.filter((picture) => !isShown(picture))).toEqual([]);
});
