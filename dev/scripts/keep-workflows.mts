import { cp, mkdir, readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';

const EXAMPLES = join(PROJECT_FOLDER, 'examples');
const KEPT = join(PROJECT_FOLDER, 'test/workflows');
const WORKFLOW = '.json';
const REPLAY = '.replay.json';

/**
 * Keeps the workflows of a version (test/workflows/README.md): the examples, and what the version before kept
 * beside them, each with the replay that it had there.
 *
 * @param version of the package that is to be released
 * @returns the folder
 * @throws Error when an example has no replay yet; nothing is written then
 */
export async function keepWorkflows(version: string): Promise<string> {
	const folder = join(KEPT, version);
	const last = (await versions()).findLast((each) => each !== version) ?? version;
	const known = existsSync(folder) ? folder : join(KEPT, last);
	const examples = (await readdir(EXAMPLES)).filter((file) => file.endsWith(WORKFLOW));
	const replays = (await readdir(known)).filter((file) => file.endsWith(REPLAY));
	const missing = examples.filter((file) => !replays.includes(file.replace(WORKFLOW, REPLAY)));
	if (missing.length > 0) {
		throw new Error(
			`Without a replay, an example cannot be kept: put one for ${missing.join(', ')} into ${folder} (test/workflows/README.md says what it holds)`,
		);
	}
	await mkdir(folder, { recursive: true });
	if (known !== folder) await cp(known, folder, { recursive: true });
	for (const file of examples) await cp(join(EXAMPLES, file), join(folder, file));
	return folder;
}

/** Whether the workflows of a version are kept. */
export async function isKept(version: string): Promise<boolean> {
	return (await versions()).includes(version);
}

async function versions(): Promise<string[]> {
	const entries = await readdir(KEPT, { withFileTypes: true });
	return entries
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name)
		.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}
