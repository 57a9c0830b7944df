import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';

const KEPT = join(PROJECT_FOLDER, 'docs/images');
const TAKEN = join(PROJECT_FOLDER, '.reports/e2e/screenshots');
const MOST_BYTES = 200_000;

// Of the pictures that the browser tests take, those that are kept for the documents.
const kept = await readdir(KEPT);
for (const name of kept) {
	const taken = join(TAKEN, name.replace(/^editor-/, ''));
	const { size } = await stat(taken);
	if (size > MOST_BYTES) throw new Error(`${taken} has ${size} bytes; at most ${MOST_BYTES}`);
	await copyFile(taken, join(KEPT, name));
}
console.log(`${kept.length} pictures are in docs/images`);
