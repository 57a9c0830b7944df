import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';
import { text } from '../support/shipped.mts';

const pictures = readdirSync(join(PROJECT_FOLDER, 'docs/images')).filter((name) =>
	name.endsWith('.png'),
);

it('the manifest has every picture', () => {
	expect(Object.keys(JSON.parse(text('docs/images/manifest.json')) as object)).toEqual(pictures);
});

it('every picture is on a page', () => {
	const pages = ['.', 'docs', 'examples', 'sandbox'].flatMap((folder) =>
		readdirSync(join(PROJECT_FOLDER, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => text(join(folder, name))),
	);
	const isShown = (picture: string) => pages.some((page) => page.includes(`images/${picture})`));
	expect(pictures.filter((picture) => !isShown(picture))).toEqual([]);
});
