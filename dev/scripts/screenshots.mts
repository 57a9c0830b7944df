import { copyFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { MANIFEST, PICTURES, shownInPictures } from './pictures.mts';

const TAKEN = join(PROJECT_FOLDER, '.reports/e2e/screenshots');
const MOST_BYTES = 200_000;

// The screenshots of the browser tests that the documents use.
const kept = (await readdir(PICTURES)).filter((name) => name.endsWith('.png'));
for (const name of kept) {
	const taken = join(TAKEN, name.replace(/^editor-/, ''));
	const { size } = await stat(taken);
	if (size > MOST_BYTES) throw new Error(`${taken} has ${size} bytes; at most ${MOST_BYTES}`);
	await copyFile(taken, join(PICTURES, name));
}
await writeFile(MANIFEST, `${JSON.stringify(await shownInPictures(), null, '\t')}\n`);
console.log(`${kept.length} pictures are in docs/images`);
