import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';

// Of the pictures that the browser tests take, the ones that the documents show.
const SHOWN = [
	'actions',
	'canvas-dark',
	'canvas-light',
	'credential',
	'failure',
	'items',
	'output-preview',
	'picker',
	'polling-trigger',
	'trigger-url',
];
const TAKEN = join(PROJECT_FOLDER, '.reports/e2e/screenshots');
const KEPT = join(PROJECT_FOLDER, 'docs/images');
const MOST_BYTES = 200_000;

await mkdir(KEPT, { recursive: true });
const examples = (await readdir(TAKEN)).filter((file) => file.startsWith('example-'));
const copies: Array<[from: string, to: string]> = [
	...SHOWN.map((name): [string, string] => [`${name}.png`, `editor-${name}.png`]),
	...examples.map((file): [string, string] => [file, file]),
];
for (const [from, to] of copies) {
	const { size } = await stat(join(TAKEN, from));
	if (size > MOST_BYTES) throw new Error(`${from} has ${size} bytes; at most ${MOST_BYTES}`);
	await copyFile(join(TAKEN, from), join(KEPT, to));
}
console.log(`${copies.length} pictures are in ${KEPT}`);
