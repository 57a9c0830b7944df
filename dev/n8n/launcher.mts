import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { containerImage } from './container.mts';
import { installN8n } from './install.mts';
import { environmentFor, PINNED } from './paths.mts';

/** A name with or without a registry, a tag or a digest; never what Docker would take for an option. */
const IMAGE = /^[a-z0-9][\w./:@-]*$/i;

/** An n8n process that is to run. */
export interface N8nProcess {
	/** Its N8N_USER_FOLDER. */
	userFolder: string;
	/** n8n's subcommand and what follows it. */
	args: string[];
	/** Its settings, as environment variables. */
	settings: Record<string, string>;
	/** Its port on 127.0.0.1, which no other one has. */
	port: number;
}

/** What is to be run for an n8n process. */
export interface CommandLine {
	/** A program and its arguments; no secret is among them, as every user of a machine can read these. */
	command: string[];
	/** All of the program's environment. */
	env: NodeJS.ProcessEnv;
	/** The container it runs in, if any: it would outlive the program if that is killed. */
	container?: string;
}

/** Runs n8n from its npm package, or from a container image. */
export interface Launcher {
	/** Installs or pulls n8n where it is missing. */
	prepare: () => Promise<unknown>;
	/** Tells what is to be run; runs nothing. */
	commandLine: (n8n: N8nProcess) => CommandLine;
}

/**
 * Chooses how n8n is run: from the container image that N8N_IMAGE names, or else from its npm package, which
 * n8n 2 is the last to have (https://docs.n8n.io/changelog/v30-breaking-changes).
 *
 * @param env this process's environment
 * @throws if N8N_IMAGE cannot be the name of an image
 */
export function launcher(env: NodeJS.ProcessEnv = process.env): Launcher {
	const { N8N_IMAGE: image = '' } = env;
	if (image === '') return npmPackage();
	if (!IMAGE.test(image)) throw new Error(`N8N_IMAGE is not the name of an image: ${image}`);
	return containerImage(image, env, `${process.getuid?.()}:${process.getgid?.()}`);
}

/**
 * Runs an n8n that is installed from npm, on its own Node.
 *
 * @param installation the pinned one if left out
 * @param host this process's environment; only where programs and temporary files are is handed down, as
 *   settings of an n8n that the person at the terminal runs otherwise, or a proxy, would leak in
 */
export function npmPackage(installation = PINNED, host = process.env): Launcher {
	const { PATH, TMPDIR, LANG } = environmentFor(installation, host);
	const modules = join(installation.folder, 'node_modules/n8n/dist/modules');
	return {
		prepare: async () => await installN8n(installation),
		commandLine: ({ args, settings }) => ({
			command: [installation.node, installation.script, ...args],
			env: { PATH, TMPDIR, LANG, ...withoutRegistry(modules), ...settings },
		}),
	};
}

/** The module reads a list from n8n's servers at every start; an n8n that does not know it would refuse to start. */
function withoutRegistry(modules: string): Record<string, string> {
	const name = 'mcp-registry';
	return existsSync(join(modules, name)) ? { N8N_DISABLED_MODULES: name } : {};
}
