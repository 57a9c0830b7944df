import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../n8n/paths.mts';

/** All test files, from the folder of the project. */
export const testFiles = readdirSync(join(PROJECT_FOLDER, 'test'), {
	recursive: true,
	encoding: 'utf8',
})
	.filter((name) => name.endsWith('.test.ts'))
	.map((name) => join('test', name));
