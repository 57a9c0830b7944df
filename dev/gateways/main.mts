import { parseArgs } from 'node:util';
import { startRemoteSandbox, type RemoteSandbox } from '../bench/sandbox.mts';
import { stopAll } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { table } from '../tools/table.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import { until } from '../tools/wait.mts';
import { startFastify } from './fastify.mts';
import { requirePrograms, startHaproxy, startNginx } from './gateways.mts';
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
		for (const [index, limit] of limits.entries()) {
			const least = () =>
				typeof limit.least === 'string' ? seconds.get(limit.least) : limit.least;
			// The machine may be busy, so only missing a target twice counts.
			for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
				const measured = await step(limit.name, () => measure(sandbox, origins[index], limit));
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

/** Starts the servers that the limits need, and returns the origin for each limit. The community has no gateway. */
async function startGateways(
	folder: string,
	sandbox: RemoteSandbox,
	limits: Limit[],
): Promise<string[]> {
	await requirePrograms();
	const { host } = new URL(sandbox.baseUrl);
	const gateways = limits.map(({ gateway }) => gateway);
	const directives = gateways
		.filter((each) => each.kind === 'nginx')
		.map((each) => each.directives);
	const nginx = await startNginx(folder, host, directives);
	const sliding = gateways.filter((each) => each.kind === 'haproxy');
	const haproxy = await startHaproxy(folder, host, sliding);
	for (const origin of [...nginx, ...haproxy]) {
		await until(`an answer at ${origin}`, () => answers(origin), START_TIMEOUT_MS);
	}
	const origins: string[] = [];
	for (const gateway of gateways) {
		if (gateway.kind === 'community') origins.push(sandbox.baseUrl);
		else if (gateway.kind === 'nginx') origins.push(nginx.shift()!);
		else if (gateway.kind === 'haproxy') origins.push(haproxy.shift()!);
		else origins.push(await startFastify(sandbox.baseUrl, gateway));
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
