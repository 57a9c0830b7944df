import { access, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_NAME, PROJECT_FOLDER } from './paths.mts';
import { run } from '../tools/processes.mts';

/**
 * Builds the package and packs it as for publishing. If PACKED names a tarball, as in .ci/run, it uses that one.
 *
 * @param folder an existing, empty folder for the tarball
 * @returns the tarball's path
 * @throws with the message of the build or of npm, or with a file that package.json names and that is missing
 */
export async function packPackage(folder: string): Promise<string> {
	if (process.env.PACKED) return process.env.PACKED;
	await run(['npm', 'run', 'build'], { cwd: PROJECT_FOLDER });
	await checkEntryPoints();
	// Otherwise npm packs nothing if its settings, e.g. in the environment, ask for a dry run.
	await run(['npm', 'pack', '--no-dry-run', '--pack-destination', folder], { cwd: PROJECT_FOLDER });
	const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	if (tarball === undefined) throw new Error(`npm pack left no tarball in ${folder}`);
	return join(folder, tarball);
}

/**
 * Unpacks a package into n8n's folder of installed community packages, so that its nodes have their published type
 * names (`n8n-nodes-community-platform.communityPlatform`). In a folder of N8N_CUSTOM_EXTENSIONS, the type would be
 * `CUSTOM.communityPlatform`, and saved workflows would not find it.
 *
 * @param tarball what {@link packPackage} returned
 * @param userFolder the N8N_USER_FOLDER of an instance that is not running
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	await unpackPackage(tarball, installedFolder(userFolder));
}

/** The path of the installed package, below an N8N_USER_FOLDER. */
export function installedFolder(userFolder: string): string {
	return join(userFolder, '.n8n/nodes/node_modules', PACKAGE_NAME);
}

/**
 * Unpacks a packed package.
 *
 * @param tarball what {@link packPackage} returned
 * @param target the folder for the package, whose other contents are removed
 */
export async function unpackPackage(tarball: string, target: string): Promise<void> {
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	// npm packs all files into a folder named "package".
	await run(['tar', '-xzf', tarball, '--strip-components=1', '-C', target]);
}

/** Checks the files, because n8n skips a package if one is missing, and reports it only in its log. */
async function checkEntryPoints(): Promise<void> {
	const manifest = JSON.parse(await readFile(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
		n8n: { credentials: string[]; nodes: string[] };
	};
	for (const file of [...manifest.n8n.credentials, ...manifest.n8n.nodes]) {
		await access(join(PROJECT_FOLDER, file)).catch(() => {
			throw new Error(`package.json names ${file}, which the build did not make`);
		});
	}
}
