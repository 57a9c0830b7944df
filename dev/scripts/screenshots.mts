import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { KEPT, shownPictures } from './documents.mts';

const TAKEN = join(PROJECT_FOLDER, '.reports/e2e/screenshots');
const MOST_BYTES = 200_000;

// Of the pictures that the browser tests take, the ones that the documents show.
const paths = new Set(shownPictures().map(({ path }) => path));
const shown = [...paths].filter((path) => path.startsWith(`${KEPT}/`));
await mkdir(join(PROJECT_FOLDER, KEPT), { recursive: true });
for (const path of shown) {
	const taken = join(TAKEN, basename(path).replace(/^editor-/, ''));
	const { size } = await stat(taken);
	if (size > MOST_BYTES) throw new Error(`${taken} has ${size} bytes; at most ${MOST_BYTES}`);
	await copyFile(taken, join(PROJECT_FOLDER, path));
}
console.log(`${shown.length} pictures are in ${KEPT}`);
