import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Name of the published package, n8n's prefix for its node types. */
export const PACKAGE_NAME = 'n8n-nodes-community-platform';

/** Root folder of the project. */
export const PROJECT_FOLDER = resolve(fileURLToPath(import.meta.url), '../../..');

/** Folder of the private package that pins n8n. */
const N8N_FOLDER = join(PROJECT_FOLDER, 'dev/n8n');

/** An n8n from npm with its own Node, because n8n 2.41 requires Node 24, and this project only Node 20. */
export interface Installation {
	/** Folder of the private package that names both. */
	folder: string;
	/** The Node binary. */
	node: string;
	/** n8n's command-line program, which runs with that Node. */
	script: string;
}

/** The installation that {@link N8N_FOLDER} pins. */
export const PINNED = installationIn(N8N_FOLDER);

/**
 * @param folder of a private package that depends on `n8n` and on `node`
 * @returns their paths in it, even if they are not installed yet
 */
export function installationIn(folder: string): Installation {
	return {
		folder,
		node: join(folder, 'node_modules/node/bin/node'),
		script: join(folder, 'node_modules/n8n/bin/n8n'),
	};
}

/**
 * This process's environment with the n8n's own Node first on the PATH, because n8n starts its task runner as `node`.
 */
export function environmentFor({ node }: Installation): NodeJS.ProcessEnv {
	return { ...process.env, PATH: `${dirname(node)}:${process.env.PATH ?? ''}` };
}

/**
 * The environment of an n8n that runs here. It inherits only the paths of programs and temporary files, because a proxy
 * or settings of another n8n of the person at the terminal would leak in.
 */
export function environmentOfN8n(installation: Installation): NodeJS.ProcessEnv {
	const { PATH, TMPDIR, LANG } = environmentFor(installation);
	// It reads a list from n8n's servers at every start. If n8n does not have the module, disabling it prevents the
	// start.
	const module = 'mcp-registry';
	const modules = join(installation.folder, 'node_modules/n8n/dist/modules');
	const isKnown = existsSync(join(modules, module));
	return { PATH, TMPDIR, LANG, ...(isKnown && { N8N_DISABLED_MODULES: module }) };
}

/**
 * The folder of the headers of an n8n's Node. Native modules are built with these, so that no file is fetched from
 * outside the npm registry.
 *
 * @returns the folder with `include/node` in it
 * @throws if the `node` package is not set up
 */
export function nodeHeadersFolder({ folder }: Installation): string {
	const parent = join(folder, 'node_modules/node/node_modules');
	// The package is named node-bin-… on Apple silicon, and node-… on other systems.
	const found = readdirSync(parent)
		.map((name) => join(parent, name))
		.find((candidate) => existsSync(join(candidate, 'include/node/node.h')));
	if (found === undefined) throw new Error(`No Node headers found in ${parent}`);
	return found;
}
