import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { INodeType } from 'n8n-workflow';
import { loaded } from '../../test/engine/engine.mts';
import { medianOf } from './measure.mts';
import { node } from './peers.mts';
import type { RemoteSandbox } from './sandbox.mts';

/** What this package's own code takes of the processor, without n8n's and Node's, medians. */
export interface OwnTime {
	updates: number;
	msPerItem: number;
	/** Of all that the process did in that time; unlike milliseconds, other processes hardly touch it. */
	share: number;
}

const UPDATES = 5_000;
const SAMPLE_EVERY_US = 200;
const BUILT = new URL('../../dist/nodes/', import.meta.url);
const CREDENTIALS = new URL('../../credentials/', import.meta.url);
// The credential is one with the engine of the tests. What a module imports as one, tsx hands to Node as a
// text that begins with the file's name.
const PLACES = [
	BUILT.href,
	fileURLToPath(BUILT),
	CREDENTIALS.href,
	`data:text/javascript,${encodeURIComponent(`__filename="${fileURLToPath(CREDENTIALS)}`)}`,
];

/**
 * Updates 5,000 roles with the built package under V8's profiler and adds up the time spent in functions of this
 * package, without what they call in n8n and Node, and without garbage collection.
 *
 * @param rounds how often, after two runs that load and compile everything
 */
export async function measureOwnTime(sandbox: RemoteSandbox, rounds: number): Promise<OwnTime> {
	const { CommunityPlatform } = createRequire(import.meta.url)(
		fileURLToPath(new URL('CommunityPlatform/CommunityPlatform.node.js', BUILT)),
	) as { CommunityPlatform: new () => INodeType };
	const built = { name: 'builtPlatform', type: loaded(new CommunityPlatform()), version: 1 };
	const work = node.updateRoles(UPDATES, built);
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
	const measured: Array<{ own: number; busy: number }> = [];
	try {
		for (let round = -2; round < rounds; round++) {
			await sandbox.prepare({});
			await session.post('Profiler.start');
			await work(sandbox);
			const { profile } = await session.post('Profiler.stop');
			if (round >= 0) measured.push(timesOf(profile));
		}
	} finally {
		session.disconnect();
	}
	const median = (values: number[]) => medianOf(values.sort((a, b) => a - b));
	return {
		updates: UPDATES,
		msPerItem: median(measured.map(({ own }) => own / 1_000 / UPDATES)),
		share: median(measured.map(({ own, busy }) => own / busy)),
	};
}

// In microseconds.
function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
	const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
	let own = 0;
	let busy = 0;
	for (const [index, id] of samples.entries()) {
		const frame = frames.get(id);
		if (!frame || frame.functionName === '(idle)') continue;
		busy += timeDeltas[index];
		if (PLACES.some((place) => frame.url.startsWith(place))) own += timeDeltas[index];
	}
	if (own === 0) throw new Error('The profile shows no function of this package');
	return { own, busy };
}
