import { mkdir, rm } from 'node:fs/promises';
import { installN8n } from '../../../dev/n8n/install.mts';
import { packPackage } from '../../../dev/n8n/pack.mts';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';
import { REPORTS } from './n8n.mts';

/** Called by Jest before the first file: installs n8n, and packs the package for {@link startProcess}. */
export default async function setup(): Promise<void> {
	await rm(REPORTS, { recursive: true, force: true });
	await mkdir(REPORTS, { recursive: true });
	await installN8n();
	const folder = await temporaryFolder('community-platform-e2e');
	process.env.E2E_TARBALL = await packPackage(folder.path);
}
