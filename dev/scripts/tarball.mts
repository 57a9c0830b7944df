import { mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packPackage, unpackPackage } from '../n8n/pack.mts';
import { PACKAGE_NAME, PROJECT_FOLDER } from '../n8n/paths.mts';
import { run } from '../tools/processes.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';

// Checks the package as npm would publish it, like n8n before it verifies a package. Ends with 0 only without findings.
const LARGEST_BYTES = 200_000;
const PACKED =
	/^(LICENSE|README\.md|package\.json|dist\/package\.json)$|^dist\/(nodes|credentials|icons)\//;
// Loads each file in the manifest, and creates the class that the file is named after, as n8n does.
const LOAD = `
	const root = process.cwd() + '/node_modules/${PACKAGE_NAME}/';
	const { nodes, credentials } = require(root + 'package.json').n8n;
	for (const file of [...nodes, ...credentials]) {
		const made = new (require(root + file)[/([^/]+)\\.\\w+\\.js$/.exec(file)[1]])();
		const { icon } = made.description ?? made;
		for (const each of Object.values(icon)) {
			require('fs').accessSync(require('path').join(root, file, '..', each.replace('file:', '')));
		}
	}`;

const folder = await temporaryFolder('tarball');
try {
	const tarball = await packPackage(folder.path);
	const { size } = await stat(tarball);
	const unpacked = join(folder.path, 'node_modules', PACKAGE_NAME);
	await unpackPackage(tarball, unpacked);
	// n8n provides only this module.
	const beside = join(folder.path, 'node_modules/n8n-workflow');
	await mkdir(dirname(beside), { recursive: true });
	await symlink(join(PROJECT_FOLDER, 'node_modules/n8n-workflow'), beside, 'dir');
	await run([process.execPath, '-e', LOAD], { cwd: folder.path });

	const files = (await run(['tar', '-tzf', tarball])).trim().split('\n');
	const names = files.map((file) => file.replace(/^package\//, ''));
	const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as object;
	const { messages } = await publint({ pkgDir: unpacked, pack: false, level: 'warning' });
	const findings = [
		...(size > LARGEST_BYTES ? [`${size} bytes, more than ${LARGEST_BYTES}`] : []),
		...names.filter((name) => !PACKED.test(name)).map((name) => `${name} must not be packed`),
		...('dependencies' in manifest ? ['n8n verifies no package with dependencies'] : []),
		...messages.map((message) => formatMessage(message, manifest) ?? message.code),
		...findingsOf(await analyzePackage(PROJECT_FOLDER, SOURCE_FILE_PATTERNS)),
		...findingsOf(await analyzePackage(unpacked)),
	];
	const what = `${names.length} files, ${Math.ceil(size / 1000)} kB`;
	console.log(findings.length === 0 ? `No finding: ${what}` : findings.join('\n'));
	if (findings.length > 0) process.exitCode = 1;
} finally {
	await folder.remove();
}

function findingsOf({ passed, message, details }: Awaited<ReturnType<typeof analyzePackage>>) {
	return passed && !message ? [] : [`n8n's scanner: ${message}\n${details ?? ''}`];
}
