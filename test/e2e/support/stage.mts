import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogIn, N8nClient } from '../../../dev/n8n/client.mts';
import { installN8n } from '../../../dev/n8n/install.mts';
import { type Instance, startInstance } from '../../../dev/n8n/instance.mts';
import { installPackage, packPackage } from '../../../dev/n8n/pack.mts';
import { PACKAGE_NAME } from '../../../dev/n8n/paths.mts';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';
import { REPORTS } from './paths.mts';

const VARIABLE = 'E2E_STAGES';

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

let raised: { instances: Instance[]; remove: () => Promise<void> } | undefined;

/**
 * Starts an n8n for each worker of Jest, which all files of that worker share: the pinned version with the
 * packed package, on free ports, with an owner. Their addresses are left where {@link stage} finds them.
 *
 * @throws if n8n does not start, or does not load the package
 */
export async function raiseStages(maxWorkers: number): Promise<void> {
	await rm(REPORTS, { recursive: true, force: true });
	await mkdir(REPORTS, { recursive: true });
	await installN8n();
	const { path: folder, remove } = await temporaryFolder('community-platform-e2e');
	const instances: Instance[] = [];
	raised = { instances, remove };
	try {
		const tarball = await packPackage(folder);
		const stages: Stage[] = [];
		for (let worker = 1; worker <= maxWorkers; worker++) {
			const own = join(folder, String(worker));
			const userFolder = join(own, 'n8n');
			await installPackage(tarball, userFolder);
			const instance = await startInstance({ userFolder });
			instances.push(instance);
			const { url } = instance;
			const client = new N8nClient(url);
			const logIn = await client.setUpOwner();
			await requirePackage(client);
			stages.push({ url, logIn, tarball, profile: join(own, 'browser') });
		}
		process.env[VARIABLE] = JSON.stringify(stages);
	} catch (error) {
		await strikeStages();
		throw error;
	}
}

/** n8n starts without a package that it cannot load, and every test would time out. */
async function requirePackage(client: N8nClient): Promise<void> {
	const nodeInfos = [{ name: `${PACKAGE_NAME}.communityPlatform`, version: 1 }];
	const loaded = await client.call<unknown[]>('POST', '/node-types', { nodeInfos });
	if (loaded.length === 0)
		throw new Error(`n8n did not load the package: see ${REPORTS}/n8n-1.log`);
}

/** Stops them, keeps their logs with the reports, and leaves nothing else behind. */
export async function strikeStages(): Promise<void> {
	if (raised === undefined) return;
	try {
		await Promise.all(raised.instances.map(async ({ stop }) => await stop()));
		for (const [index, { logFile }] of raised.instances.entries()) {
			await copyFile(logFile, join(REPORTS, `n8n-${index + 1}.log`));
		}
	} finally {
		await raised.remove();
	}
}

/**
 * @returns the n8n that was started for this worker of Jest
 * @throws outside of a run
 */
export function stage(): Stage {
	const text = process.env[VARIABLE];
	if (text === undefined) throw new Error('Start these tests with npm run test:e2e');
	return (JSON.parse(text) as Stage[])[Number(process.env.JEST_WORKER_ID) - 1];
}
