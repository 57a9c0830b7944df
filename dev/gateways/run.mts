import { startRemoteSandbox, type RemoteSandbox } from '../bench/sandbox.mts';
import { stopAll } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import { until } from '../tools/wait.mts';
import { startFastify } from './fastify.mts';
import { startHaproxy } from './haproxy.mts';
import { LIMITS, type Limit } from './limits.mts';
import { measure, type Measured } from './measure.mts';
import { startNginx } from './nginx.mts';
import { gatewayPrograms } from './programs.mts';
import { rowOf, tableOf, type Row } from './report.mts';

const MEMBERS = 1_000;
const START_TIMEOUT_MS = 30_000;

/**
 * Sends updates through each limit and prints what came of it.
 *
 * @param only limits whose name it matches
 * @returns the exit code: 0 only if every bound held
 */
export async function showGateways(only: RegExp): Promise<number> {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		// Everything ends with this process, and the folder is removed (last-will.mts).
		process.once(signal, () => process.exit(130));
	}
	const programs = await step('Find nginx and HAProxy', gatewayPrograms);
	const folder = await temporaryFolder('community-platform-gateways');
	const closing: Array<() => Promise<unknown>> = [];
	try {
		const sandbox = await step('Start a community', () => startRemoteSandbox(MEMBERS));
		closing.push(() => sandbox.close());
		const limits = LIMITS.filter(({ name }) => only.test(name));
		const origins = await step('Start the gateways', () =>
			startGateways(programs, folder.path, sandbox, limits, closing),
		);
		// The first run loads and compiles what all later ones use.
		await measure(sandbox, sandbox.baseUrl, warmUp);
		const rows: Row[] = [];
		const broken: string[] = [];
		const seconds = new Map<string, number>();
		for (const limit of limits) {
			const origin = origins.get(limit) as string;
			const measureRow = async () => {
				const measured = await step(limit.name, () => measure(sandbox, origin, limit), told);
				seconds.set(limit.name, measured.seconds);
				const row = rowOf(limit, measured, seconds);
				rows.push(row);
				return row;
			};
			const { slow } = await measureRow();
			// Twice in a row is no coincidence.
			const slowAgain = slow && (await measureRow()).slow;
			if (slowAgain) broken.push(slowAgain);
		}
		console.log(`\n${tableOf(rows)}\n`);
		broken.push(...rows.flatMap((row) => row.broken));
		for (const line of broken) console.error(line);
		return broken.length === 0 ? 0 : 1;
	} finally {
		for (const close of closing) await close();
		await stopAll();
		await folder.remove();
	}
}

const warmUp: Limit = {
	name: 'warm-up',
	gateway: { kind: 'community', setup: {} },
	updates: 200,
};

function told({ seconds }: Measured): string {
	return `${seconds.toFixed(2)} s`;
}

async function startGateways(
	programs: { nginx: string; haproxy: string },
	folder: string,
	sandbox: RemoteSandbox,
	limits: Limit[],
	closing: Array<() => Promise<unknown>>,
): Promise<Map<Limit, string>> {
	const { host } = new URL(sandbox.baseUrl);
	const origins = new Map<Limit, string>();
	const ofNginx = limits.flatMap((limit) =>
		limit.gateway.kind === 'nginx' ? [{ limit, directives: limit.gateway.directives }] : [],
	);
	const ofHaproxy = limits.flatMap((limit) =>
		limit.gateway.kind === 'haproxy' ? [{ limit, ...limit.gateway }] : [],
	);
	const directives = ofNginx.map((each) => each.directives);
	const nginx = await startNginx(programs.nginx, folder, host, directives);
	for (const [index, { limit }] of ofNginx.entries()) origins.set(limit, nginx[index]);
	const haproxy = await startHaproxy(programs.haproxy, folder, host, ofHaproxy);
	for (const [index, { limit }] of ofHaproxy.entries()) origins.set(limit, haproxy[index]);
	for (const limit of limits) {
		const { gateway } = limit;
		if (gateway.kind === 'community') origins.set(limit, sandbox.baseUrl);
		if (gateway.kind !== 'fastify') continue;
		const { origin, app } = await startFastify(sandbox.baseUrl, gateway);
		closing.unshift(() => app.close());
		origins.set(limit, origin);
	}
	for (const origin of [...nginx.slice(0, 1), ...haproxy.slice(0, 1)]) {
		await until(`an answer at ${origin}`, () => answers(origin), START_TIMEOUT_MS);
	}
	return origins;
}

async function answers(origin: string): Promise<boolean> {
	try {
		return (await fetch(origin)).status > 0;
	} catch {
		return false;
	}
}
