import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packPackage, unpackPackage } from '../n8n/pack.mts';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { step } from '../tools/progress.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import { expectedContents, wrongContents } from './tarball-contents.mts';
import { loadPackage } from './tarball-load.mts';
import { threats } from './tarball-threats.mts';

// Checks the package as npm would publish it. Ends with 0 only if there is no finding.
const LARGEST_BYTES = 200_000;
// Left over from an earlier build, it must not be packed.
const LEFT_OVER = join(PROJECT_FOLDER, 'dist/docs/images/left-over.png');

const folder = await temporaryFolder('tarball');
try {
	await mkdir(join(LEFT_OVER, '..'), { recursive: true });
	await writeFile(LEFT_OVER, '');
	const tarball = await step('Build and pack', () => packPackage(folder.path));
	const loaded = join(folder.path, 'loaded');
	await mkdir(loaded);
	await step(
		'Load it with nothing but n8n-workflow beside it',
		() => loadPackage(tarball, loaded),
		(said) => said,
	);
	const unpacked = join(folder.path, 'unpacked');
	await unpackPackage(tarball, unpacked);
	const { size } = await stat(tarball);
	const tooLarge = size > LARGEST_BYTES ? [`${size} bytes, more than ${LARGEST_BYTES}`] : [];
	const findings = [...tooLarge, ...wrongContents(unpacked), ...threats(unpacked)];
	const what = `${expectedContents().length} files, ${Math.ceil(size / 1000)} kB`;
	console.log(findings.length === 0 ? `No finding: ${what}` : findings.join('\n'));
	if (findings.length > 0) process.exitCode = 1;
} finally {
	await folder.remove();
}
