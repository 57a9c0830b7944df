import { join } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { packPackage, unpackPackage } from '../n8n/pack.mts';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';

// n8n's scanner looks at the sources and at what npm would publish; both as its own command does.
const folder = await temporaryFolder('scan');
try {
	const tarball = await packPackage(folder.path);
	const unpacked = join(folder.path, 'package');
	await unpackPackage(tarball, unpacked);
	report('Sources', await analyzePackage(PROJECT_FOLDER, SOURCE_FILE_PATTERNS));
	report('Packed tarball', await analyzePackage(unpacked));
} finally {
	await folder.remove();
}

function report(
	what: string,
	{ passed, message, details }: Awaited<ReturnType<typeof analyzePackage>>,
) {
	console.log(`${what}: ${passed && !message ? 'no finding' : `${message}\n${details ?? ''}`}`);
	if (!passed || message) process.exitCode = 1;
}
