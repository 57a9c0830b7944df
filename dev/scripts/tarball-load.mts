import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackPackage } from '../n8n/pack.mts';
import { PACKAGE_NAME, PROJECT_FOLDER } from '../n8n/paths.mts';
import { run } from '../tools/processes.mts';

// Runs beside the package as n8n does: requires each file that its manifest names, makes the class that the
// file is named after, and looks for the icons from there.
const LOAD = `
	const { existsSync } = require('fs');
	const { dirname, join } = require('path');
	const root = dirname(require.resolve('${PACKAGE_NAME}/package.json'));
	const { nodes, credentials } = require(join(root, 'package.json')).n8n;
	for (const file of [...nodes, ...credentials]) {
		const name = /([^/]+)\\.(?:node|credentials)\\.js$/.exec(file)[1];
		const made = new (require(join(root, file))[name])();
		const { icon } = made.description ?? made;
		for (const path of Object.values(icon)) {
			const icon = join(root, dirname(file), path.replace(/^file:/, ''));
			if (!existsSync(icon)) throw new Error(file + ' names ' + path + ', which is not there');
		}
		const codex = join(root, file.replace(/\\.js$/, '.json'));
		if (made.description && !existsSync(codex)) throw new Error(file + ' has no codex file');
	}
	console.log(nodes.length + ' nodes, ' + credentials.length + ' credential');`;

/**
 * Loads a packed package as n8n does, in a folder where nothing but n8n-workflow lies beside it.
 *
 * @param tarball what packPackage returned
 * @param folder an existing, empty folder
 * @returns how many nodes and credentials it has
 * @throws what Node said
 */
export async function loadPackage(tarball: string, folder: string): Promise<string> {
	const modules = join(folder, 'node_modules');
	await unpackPackage(tarball, join(modules, PACKAGE_NAME));
	await mkdir(modules, { recursive: true });
	const shared = join(PROJECT_FOLDER, 'node_modules/n8n-workflow');
	await symlink(shared, join(modules, 'n8n-workflow'), 'dir');
	const said = await run([process.execPath, '-e', LOAD], { cwd: folder });
	return said.trim();
}
