import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';
import { start } from '../../dev/tools/processes.mts';
import { until } from '../../dev/tools/wait.mts';

const COPIED = ['nodes', 'credentials', 'icons', 'gulpfile.js', 'package.json', 'tsconfig.json'];
const TIMEOUT_MS = 60_000;

/** A copy of the project's sources that is built again at each change. */
export interface Followed {
	/** Changes a source, by its path from the project's folder. */
	replace: (file: string, from: string, to: string) => Promise<void>;
	/** Waits until a built file, by its path from the folder of the build, holds a text. */
	untilBuilt: (file: string, text: string) => Promise<void>;
	remove: () => Promise<void>;
}

/** Begins to follow a copy of the sources, as `npm run dev` does with the sources themselves. */
export async function follow(): Promise<Followed> {
	const folder = await mkdtemp(join(tmpdir(), 'follow-test-'));
	for (const name of COPIED) {
		await cp(join(PROJECT_FOLDER, name), join(folder, name), { recursive: true });
	}
	await symlink(join(PROJECT_FOLDER, 'node_modules'), join(folder, 'node_modules'));
	const built = join(folder, 'elsewhere');
	const gulp = await start(['npx', 'gulp', 'follow'], join(folder, 'log'), {
		cwd: folder,
		env: { ...process.env, BUILD_FOLDER: built },
	});
	return {
		replace: async (file, from, to) => {
			const path = join(folder, file);
			await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
		},
		untilBuilt: async (file, text) => {
			const holds = async () =>
				(await readFile(join(built, file), 'utf8').catch(() => '')).includes(text);
			await until(`${file} to hold ${text}`, holds, TIMEOUT_MS);
		},
		remove: async () => {
			await gulp.stop();
			await rm(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}
