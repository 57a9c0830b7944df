import { parseArgs } from 'node:util';
import { startRemoteSandbox, type RemoteSandbox } from '../bench/sandbox.mts';
import { stopAll } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { table } from '../tools/table.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import { until } from '../tools/wait.mts';
import { startFastify } from './fastify.mts';
import { findPrograms, startHaproxy, startNginx } from './gateways.mts';
import { LIMITS, type Limit } from './limits.mts';
import { measure, type Measured } from './measure.mts';

const MEMBERS = 1_000;
const START_TIMEOUT_MS = 30_000;
const HEAD = ['Limit', 'Updates', 'Time', 'Times', 'Aim', 'Refused', 'Applied', 'Twice', 'Failed'];
const ATTEMPTS = 2;
const MOST_REFUSED = 0.15;
const WARM_UP: Limit = {
	name: 'warm-up',
	gateway: { kind: 'community', setup: {} },
	updates: 200,
};

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const only = new RegExp(values.only);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	// Everything ends with this process, and the folder is removed (last-will.mts).
	process.once(signal, () => process.exit(130));
}
try {
	process.exitCode = await showLimits(LIMITS.filter(({ name }) => only.test(name)));
} catch (error) {
	console.error(`\n${(error as Error).message}`);
	process.exitCode = 1;
}
// Open handles would keep the process from ending.
process.exit();

/** Sends updates through each limit and prints the results. Returns 0 only if every target was met. */
async function showLimits(limits: Limit[]): Promise<number> {
	const folder = await temporaryFolder('community-platform-gateways');
	const sandbox = await step('Start a community', () => startRemoteSandbox(MEMBERS));
	try {
		const origins = await step('Start the gateways', () =>
			startGateways(folder.path, sandbox, limits),
		);
		// A warm-up that loads and compiles the code for the later ones.
		await measure(sandbox, sandbox.baseUrl, WARM_UP);
		const rows: string[][] = [];
		const missed: string[] = [];
		const seconds = new Map<string, number>();
		for (const limit of limits) {
			const least = () =>
				typeof limit.least === 'string' ? seconds.get(limit.least) : limit.least;
			// The machine may be busy, so only missing a target twice counts.
			for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
				const origin = origins.get(limit) ?? sandbox.baseUrl;
				const measured = await step(limit.name, () => measure(sandbox, origin, limit));
				seconds.set(limit.name, measured.seconds);
				const times = measured.seconds / (least() ?? NaN);
				rows.push(rowOf(limit, measured, times));
				const isMissed = times > (limit.aim ?? Infinity);
				const isWrong = !isWhole(limit, measured);
				if (isWrong || (isMissed && attempt === ATTEMPTS)) missed.push(limit.name);
				if (!isMissed || isWrong) break;
			}
		}
		console.log(`\n${table(HEAD, rows)}\n`);
		for (const name of missed) console.error(`Missed: ${name}`);
		return missed.length === 0 ? 0 : 1;
	} finally {
		await sandbox.close();
		await stopAll();
		await folder.remove();
	}
}

function isWhole({ updates }: Limit, measured: Measured): boolean {
	const { refused, applied, twice, failed } = measured;
	return applied === updates && twice === 0 && failed === 0 && refused <= MOST_REFUSED;
}

function rowOf({ name, updates, aim }: Limit, measured: Measured, times: number): string[] {
	const { seconds, refused, applied, twice, failed } = measured;
	return [
		name,
		String(updates),
		`${seconds.toFixed(2)} s`,
		Number.isNaN(times) ? '' : times.toFixed(2),
		String(aim ?? ''),
		`${(100 * refused).toFixed(1)} %`,
		String(applied),
		String(twice),
		String(failed),
	];
}

/** Starts the servers that the limits need, and returns the origin of each. The community has no gateway. */
async function startGateways(
	folder: string,
	sandbox: RemoteSandbox,
	limits: Limit[],
): Promise<Map<Limit, string>> {
	const programs = await findPrograms();
	const { host } = new URL(sandbox.baseUrl);
	const origins = new Map<Limit, string>();
	const nginx = limits.flatMap((limit) =>
		limit.gateway.kind === 'nginx' ? [{ limit, directives: limit.gateway.directives }] : [],
	);
	const haproxy = limits.flatMap((limit) =>
		limit.gateway.kind === 'haproxy' ? [{ limit, ...limit.gateway }] : [],
	);
	const directives = nginx.map((each) => each.directives);
	const found = [
		...(await startNginx(programs.nginx, folder, host, directives)),
		...(await startHaproxy(programs.haproxy, folder, host, haproxy)),
	];
	for (const [index, { limit }] of [...nginx, ...haproxy].entries()) {
		origins.set(limit, found[index]);
		await until(`an answer at ${found[index]}`, () => answers(found[index]), START_TIMEOUT_MS);
	}
	for (const limit of limits) {
		if (limit.gateway.kind !== 'fastify') continue;
		origins.set(limit, (await startFastify(sandbox.baseUrl, limit.gateway)).origin);
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
