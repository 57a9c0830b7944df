import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Name of the published package; n8n prefixes its node types with it. */
export const PACKAGE_NAME = 'n8n-nodes-community-platform';

/** Root folder of the project. */
export const PROJECT_FOLDER = resolve(fileURLToPath(import.meta.url), '../../..');

/** Folder of the private package that pins n8n. */
const N8N_FOLDER = join(PROJECT_FOLDER, 'dev/n8n');

/** An n8n that is installed from npm, with a Node of its own: n8n 2.41 asks for Node 24, this project only for Node 20. */
export interface Installation {
	/** Folder of the private package that names both. */
	folder: string;
	/** The Node binary. */
	node: string;
	/** n8n's command-line program, to be run with that Node. */
	script: string;
}

/** The one that {@link N8N_FOLDER} pins. */
export const PINNED = installationIn(N8N_FOLDER);

/**
 * @param folder of a private package that depends on `n8n` and on `node`
 * @returns where they are in it, whether they have been installed yet or not
 */
export function installationIn(folder: string): Installation {
	return {
		folder,
		node: join(folder, 'node_modules/node/bin/node'),
		script: join(folder, 'node_modules/n8n/bin/n8n'),
	};
}

/** This process's environment with an installed n8n's own Node first on the PATH: n8n starts its task runner as plain `node`. */
export function environmentFor({ node }: Installation): NodeJS.ProcessEnv {
	return { ...process.env, PATH: `${dirname(node)}:${process.env.PATH ?? ''}` };
}

/**
 * The environment of an n8n that runs here. Of this process's, only where programs and temporary files are is handed
 * down: settings of an n8n that the person at the terminal runs otherwise, or a proxy, would leak in.
 */
export function environmentOfN8n(installation: Installation): NodeJS.ProcessEnv {
	const { PATH, TMPDIR, LANG } = environmentFor(installation);
	// It reads a list from n8n's servers at every start. An n8n that does not know it would refuse to start.
	const module = 'mcp-registry';
	const modules = join(installation.folder, 'node_modules/n8n/dist/modules');
	const isKnown = existsSync(join(modules, module));
	return { PATH, TMPDIR, LANG, ...(isKnown && { N8N_DISABLED_MODULES: module }) };
}

/**
 * Where an installed n8n's Node keeps its headers. Native modules are built against these, so that nothing
 * is fetched from outside the npm registry.
 *
 * @returns the folder with `include/node` in it
 * @throws if the `node` package has not been set up
 */
export function nodeHeadersFolder({ folder }: Installation): string {
	const parent = join(folder, 'node_modules/node/node_modules');
	// The package is called node-bin-… on Apple silicon and node-… elsewhere.
	const found = readdirSync(parent)
		.map((name) => join(parent, name))
		.find((candidate) => existsSync(join(candidate, 'include/node/node.h')));
	if (found === undefined) throw new Error(`No Node headers found in ${parent}`);
	return found;
}
