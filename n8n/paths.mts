import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Name of the published package; n8n prefixes its node types with it. */
export const PACKAGE_NAME = 'n8n-nodes-community-platform';

/** Root folder of the project. */
export const PROJECT_FOLDER = resolve(fileURLToPath(import.meta.url), '../..');

/** Folder of the private package that pins n8n. */
export const N8N_FOLDER = join(PROJECT_FOLDER, 'n8n');

/** Folder of the npm package that carries the Node binary that n8n runs on. */
const NODE_FOLDER = join(N8N_FOLDER, 'node_modules/node');

/** The Node binary that n8n runs on: n8n 2.41 asks for Node 24, this project only for Node 20. */
export const NODE_BINARY = join(NODE_FOLDER, 'bin/node');

/** n8n's command-line program, to be run with {@link NODE_BINARY}. */
export const N8N_SCRIPT = join(N8N_FOLDER, 'node_modules/n8n/bin/n8n');

/**
 * The environment in which everything of the pinned n8n runs: its own Node first on the PATH, as
 * n8n starts its task runner as plain `node`.
 *
 * @returns a copy of this process's environment with PATH changed
 */
export function pinnedNodeEnvironment(): NodeJS.ProcessEnv {
	return { ...process.env, PATH: `${join(NODE_FOLDER, 'bin')}:${process.env.PATH ?? ''}` };
}

/**
 * Where the pinned Node keeps its headers. Native modules are built against these, so that nothing
 * is fetched from outside the npm registry.
 *
 * @returns the folder with `include/node` in it
 * @throws if the `node` package has not been set up
 */
export function nodeHeadersFolder(): string {
	const parent = join(NODE_FOLDER, 'node_modules');
	// The package is called node-bin-… on Apple silicon and node-… elsewhere.
	const folder = readdirSync(parent)
		.map((name) => join(parent, name))
		.find((candidate) => existsSync(join(candidate, 'include/node/node.h')));
	if (folder === undefined) throw new Error(`No Node headers found in ${parent}`);
	return folder;
}
