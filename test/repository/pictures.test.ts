import { filesIn, text } from '../support/shipped.mts';

const pictures = filesIn('docs/images')
	.filter((path) => path.endsWith('.png'))
	.map((path) => path.replace('docs/images/', ''));

it('has every picture in the manifest', () => {
	const manifest = JSON.parse(text('docs/images/manifest.json')) as object;
	expect(Object.keys(manifest)).toEqual(pictures.sort());
});

it('shows every picture on a page', () => {
	const pages = [...filesIn('docs', 'examples', 'sandbox'), 'README.md']
		.filter((path) => path.endsWith('.md'))
		.map(text);
	const isShown = (picture: string) => pages.some((page) => page.includes(`images/${picture})`));
	expect(pictures.filter((picture) => !isShown(picture))).toEqual([]);
});
