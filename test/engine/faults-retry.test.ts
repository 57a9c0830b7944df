import { sleep, type INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { asked, asNewcomer, useSandbox, withoutBackoff } from '../support/community.mts';
import { action, createTag, getUser, updateComment, updateRole } from '../support/operations.mts';
import { closedOrigin } from '../support/servers.mts';
import { runNode, type RunOptions } from '../support/engine.mts';

const sandbox = useSandbox({ members: 60 });
withoutBackoff();

const TAG = 'Unheard';
const tagsNamed = () =>
	[...sandbox.community.tags.values()].filter(({ display_name }) => display_name === TAG).length;
const [GET, POST] = [() => getUser('101'), () => createTag(TAG)];
const PUT = () => updateComment(String([...sandbox.community.comments.keys()][0]), 'Mended');
const PATCH = () => updateRole(sandbox.community.caller.msid, '5');

// Copied from HAProxy 2.6.
const OWN_PAGE =
	'<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n\n';
const OUTAGES: Record<string, Fault> = {
	'a cut connection': { kind: 'cut' },
	'a time-out': { kind: 'hang' },
	'500': { kind: 'status', status: 500 },
	'502 with a web page': { kind: 'html', status: 502 },
};
const REFUSALS: Record<string, Fault> = {
	'429': { kind: 'status', status: 429 },
	'503 with Retry-After': { kind: 'status', status: 503, retryAfter: 0 },
	"a gateway's own page": { kind: 'text', status: 503, text: OWN_PAGE },
};

const run = async (parameters: INodeParameters, options: RunOptions = {}) =>
	await runNode(sandbox, parameters, { ...asNewcomer(), ...options });
// Long enough for a real answer. Set only if there is none.
const inTime = ({ kind }: Fault): RunOptions =>
	kind === 'hang' ? { requestOptions: { timeout: 500 } } : {};
const sent = (method: string) => sandbox.requests.matching(method).length;
const MAY_EXIST =
	"The record may already exist, so the node did not try again. Look for it in your community. If it is not there, start a new execution with only this item, because 'Retry' does not send it again.";

describe('Retries of reads and changes', () => {
	it.each(
		Object.entries({ ...OUTAGES, ...REFUSALS }).map(([what, fault], at) => {
			const [method, parameters] = Object.entries({ GET, PUT, PATCH })[at % 3];
			return [method, what, parameters, fault] as const;
		}),
	)('retries a %s after %s', async (method, _, parameters, fault) => {
		sandbox.faults.add({ ...fault, times: 1 });
		const { items, error } = await run(parameters(), inTime(fault));
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(sent(method)).toBe(2);
	});

	it('does not say that nothing was changed if a change may have been applied', async () => {
		const changed = /may already have been made\. It is safe to run this again\./;
		sandbox.faults.add({ kind: 'status', status: 500, applied: true, times: 1 });
		sandbox.faults.add({ kind: 'status', status: 403 });
		const { error } = await run(PUT());
		expect(error?.description).toMatch(changed);
		expect(error?.description).not.toContain('Nothing was changed.');
	});
});

describe('Retries of creates', () => {
	it.each(Object.entries(REFUSALS))('retries a create after a refusal: %s', async (_, fault) => {
		sandbox.faults.add({ ...fault, times: 2 });
		const { error } = await run(POST());
		expect(error).toBeUndefined();
		expect([sent('POST'), tagsNamed()]).toEqual([3, 1]);
	});

	it.each(
		Object.entries({ ...OUTAGES, 'a web page': { kind: 'html' } as Fault }).flatMap(
			([what, fault]) =>
				[true, false].map(
					(applied) => [what, applied ? 'after' : 'before', fault, applied] as const,
				),
		),
	)(
		'never retries a create after %s that came %s it was applied',
		async (_what, _when, fault, applied) => {
			sandbox.faults.add({ ...fault, applied, times: 1 } as Fault);
			const { error } = await run(POST(), inTime(fault));
			expect(error?.description).toBe(MAY_EXIST);
			expect([sent('POST'), tagsNamed()]).toEqual([1, applied ? 1 : 0]);
		},
	);

	it.each<[string, () => string | Promise<string>, Fault | undefined]>([
		['was refused until the last attempt', () => sandbox.baseUrl, { kind: 'status', status: 429 }],
		['was never sent', closedOrigin, undefined],
	])('reports a create that %s as not applied', async (_, address, fault) => {
		if (fault) sandbox.faults.add(fault);
		const parameters = { ...POST(), options: { maxRetries: 1 } };
		const { error } = await run(parameters, { credential: { baseUrl: await address() } });
		expect(error?.description).toMatch(/The node tried 2 times.* Nothing was changed\.$/);
		expect(tagsNamed()).toBe(0);
	});
});

describe('Requests that may have been applied', () => {
	it('reports a request that may have been applied with the item that ends the execution', async () => {
		sandbox.faults.add({ kind: 'cut', pattern: '/comments/3002', applied: true });
		sandbox.faults.add({ kind: 'slow', pattern: '/comments/999999', delayMs: 50 });
		const parameters = { ...updateComment('={{ $json.id }}', 'x'), options: { maxRetries: 0 } };
		const { error } = await run(parameters, { items: [{ id: '999999' }, { id: '3002' }] });
		expect(error?.description).toMatch(/ Items that may also have been applied: 1\.$/);
	});

	it('does not count the failed item itself as another one that may have been applied', async () => {
		sandbox.faults.add({ kind: 'cut', method: 'POST', applied: true });
		sandbox.faults.add({ kind: 'status', status: 400, method: 'PUT' });
		const { error } = await run(action('tag.upsert', { name: TAG }));
		expect(error?.description).not.toMatch(/also have been applied|Nothing was changed/);
	});
});

describe('Max Retries', () => {
	const busy = { kind: 'status', status: 503, message: 'busy' } as const;

	it.each([0, 1, 3])("retries as often as 'Max Retries' allows: %d", async (maxRetries) => {
		sandbox.faults.add(busy);
		const { error } = await run({ ...GET(), options: { maxRetries } });
		expect(sandbox.requests.total).toBe(maxRetries + 1);
		const tried = maxRetries > 0 ? ` The node tried ${maxRetries + 1} times in 0.0 s.` : '';
		const description = error?.description?.replace(/in \d+\.\d s/, 'in 0.0 s');
		expect(description).toBe(
			`Try again in a few minutes. The community's server is busy or under maintenance.${tried}`,
		);
	});

	it('retries five times by default', async () => {
		sandbox.faults.add(busy);
		await run(GET());
		expect(sandbox.requests.total).toBe(6);
	});
});

it('reports a pause of two hours without waiting, and delays no other request', async () => {
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 7_200, times: 1 });
	const { items } = await run(
		{ ...GET(), options: { maxRequestsAtOnce: 1 } },
		{ items: [{}, {}], onError: 'continueRegularOutput' },
	);
	expect(items[0].json.message).toBe(
		'Wait 120 minutes, then run this again. The community asked for this pause.',
	);
	expect(items[1].json.user_id).toBe(101);
});

describe('Restart of the community', () => {
	let restarted: Sandbox | undefined;
	afterEach(async () => await restarted?.close());

	it.each(['creates', 'changes'])(
		'sends all %s once to a community that restarts',
		async (what) => {
			const baseUrl = await closedOrigin();
			const ids = [...sandbox.community.comments.keys()].slice(0, 40);
			const items = ids.map((id) => ({ id }));
			const parameters =
				what === 'creates'
					? createTag('=Restart{{ $json.id }}')
					: updateComment('={{ $json.id }}', 'Mended');
			jest.mocked(Math.random).mockReturnValue(0.5);
			const running = runNode({ ...sandbox, baseUrl }, parameters, { items });
			await sleep(150);
			restarted = await startSandbox({ port: Number(new URL(baseUrl).port), members: 60 });
			const { error, items: done } = await running;
			expect(error).toBeUndefined();
			expect(done).toHaveLength(40);
			expect(new Set(asked(restarted)).size).toBe(what === 'creates' ? 1 : 40);
			expect(restarted.requests.total).toBe(40);
		},
	);
});
