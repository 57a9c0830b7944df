import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogIn, N8nClient } from '../../../n8n/client.mts';
import { launcher } from '../../../n8n/launcher.mts';
import { type Instance, startInstance } from '../../../n8n/instance.mts';
import { installPackage, packPackage } from '../../../n8n/pack.mts';
import { PACKAGE_NAME } from '../../../n8n/paths.mts';
import { demand, missingNodeVersion, missingSpace } from '../../../n8n/requirements.mts';
import { temporaryFolder } from '../../../tools/temporary-folder.mts';
import { REPORTS } from './paths.mts';

const GIGABYTES_NEEDED = 0.5;
const VARIABLE = 'E2E_STAGE';

/** What the tests have to know of the n8n that they share. */
export interface Stage {
	/** Address of n8n, without a trailing slash. */
	url: string;
	/** Its owner. */
	logIn: LogIn;
	/** The packed package, for a test that needs an n8n of its own. */
	tarball: string;
	/** Folder of the browser's profile. */
	profile: string;
}

// Jest hands nothing from setup to teardown but what hangs on the global object.
const kept = globalThis as { raised?: { instance: Instance; remove: () => Promise<void> } };

/**
 * Starts the n8n that all end-to-end tests share: the pinned version with the packed package, on free
 * ports, with an owner. Its address is left where {@link stage} finds it.
 *
 * @throws MissingRequirement when the machine lacks something; otherwise what went wrong
 */
export async function raiseStage(): Promise<void> {
	await rm(REPORTS, { recursive: true, force: true });
	await mkdir(REPORTS, { recursive: true });
	await launcher().prepare();
	const { path: folder, remove } = await temporaryFolder('community-platform-e2e');
	demand([
		...missingNodeVersion(),
		...(await missingSpace(folder, GIGABYTES_NEEDED, 'a run of the end-to-end tests')),
	]);
	try {
		const userFolder = join(folder, 'n8n');
		const tarball = await packPackage(folder);
		await installPackage(tarball, userFolder);
		const instance = await startInstance({ userFolder });
		kept.raised = { instance, remove };
		const client = new N8nClient(instance.url);
		const logIn = await client.setUpOwner();
		await requirePackage(client);
		const { url } = instance;
		const raised: Stage = { url, logIn, tarball, profile: join(folder, 'browser') };
		process.env[VARIABLE] = JSON.stringify(raised);
	} catch (error) {
		await strikeStage();
		await remove();
		throw error;
	}
}

/** n8n starts without a package that it cannot load, and then every test would wait for it in vain. */
async function requirePackage(client: N8nClient): Promise<void> {
	const nodeInfos = [{ name: `${PACKAGE_NAME}.communityPlatform`, version: 1 }];
	const loaded = await client.call<unknown[]>('POST', '/node-types', { nodeInfos });
	if (loaded.length === 0) throw new Error(`n8n did not load the package: see ${REPORTS}/n8n.log`);
}

/** Stops that n8n, keeps its log with the reports, and leaves nothing else behind. */
export async function strikeStage(): Promise<void> {
	const { raised } = kept;
	if (raised === undefined) return;
	await raised.instance.stop();
	await copyFile(raised.instance.logFile, join(REPORTS, 'n8n.log'));
	await raised.remove();
}

/**
 * @returns the n8n that was started for this run
 * @throws outside of a run
 */
export function stage(): Stage {
	const text = process.env[VARIABLE];
	if (text === undefined) throw new Error('Start these tests with npm run test:e2e');
	return JSON.parse(text) as Stage;
}
