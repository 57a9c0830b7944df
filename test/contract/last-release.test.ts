import fc from 'fast-check';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { loaded, runNode } from '../engine/engine.mts';
import { quiet, useSandbox } from '../support/community.mts';
import { drawn } from '../support/drawn-parameters.mts';
import { addKnownRecords, STILL } from '../support/known.mts';
import type { Release } from '../support/last-release.mts';
import { RUNS, lastRelease } from '../support/last-release.mts';
import { text } from '../support/shipped.mts';

// Operations that send something else than in the last release, and what CHANGELOG.md says of it. To be emptied after
// each release.
const CHANGED: Record<string, string> = {};

const sandbox = useSandbox(STILL);
let release: Release;
const types: Record<'then' | 'now', INodeType> = {} as never;
beforeAll(async () => {
	release = await lastRelease();
	Object.assign(types, { then: loaded(release.node), now: loaded(new CommunityPlatform()) });
}, 60_000);
afterAll(async () => await release?.remove());

/**
 * What a run asks the community for. How far ahead pages are read depends on the machine, and so does what a run that
 * fails has read by then.
 */
async function requestsOf(type: INodeType, parameters: INodeParameters): Promise<string[]> {
	sandbox.reset();
	addKnownRecords(sandbox);
	const options = { type: { name: 'communityPlatform', type, version: 1 } };
	// n8n begins no run where a required parameter is empty.
	const run = await runNode(sandbox, parameters, options).catch(() => undefined);
	const isWhole = run !== undefined && !run.error;
	// Prefetched pages may still be in flight when a listing has ended.
	if (sandbox.requests.all.some(({ query }) => 'page' in query)) await quiet(sandbox);
	const sent = sandbox.requests.all.map(({ method, path, query, body }) => {
		const asked = Object.entries(query).filter(([name]) => name !== 'page');
		return JSON.stringify([method, path, Object.fromEntries(asked), body]);
	});
	const isCounted = (one: string, index: number) => isWhole && sent.indexOf(one) === index;
	return sent.filter((one, index) => !one.startsWith('["GET"') || isCounted(one, index));
}

it('the changelog says why an operation sends something else than in the last release', () => {
	const told = text('CHANGELOG.md');
	expect(Object.values(CHANGED).filter((why) => !told.includes(why))).toEqual([]);
});

it(
	'what saved workflows of the last release send is what they send now',
	async () => {
		const operations = Object.entries(release.operations);
		expect(operations.length).toBeGreaterThan(25);
		let sent = 0;
		for (const [name, described] of operations.filter(([each]) => !(each in CHANGED))) {
			const [resource, operation] = name.split('.');
			await fc.assert(
				fc.asyncProperty(drawn(described), async (values) => {
					const parameters = { resource, operation, ...values } as INodeParameters;
					const then = await requestsOf(types.then, parameters);
					const now = await requestsOf(types.now, parameters);
					if (then.length > 0) sent++;
					expect([name, now]).toEqual([name, then]);
				}),
				{ numRuns: RUNS, includeErrorInReport: true },
			);
		}
		// Enough of what is drawn can be carried out.
		expect(sent).toBeGreaterThan((operations.length * RUNS) / 3);
	},
	60_000 + 10_000 * RUNS,
);
