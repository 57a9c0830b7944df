import type { INodeParameters } from 'n8n-workflow';
import { USER_STATUS } from '../../nodes/shared/records/codes.ts';
import type { RunOptions } from '../support/engine.mts';
import { useMembers } from '../support/named-members.mts';
import { action, getUser } from '../support/operations.mts';

const { sandbox, run, active, change, reads } = useMembers();

const list = async (parameters: INodeParameters, options?: RunOptions) =>
	await run(action('user.getAll', { returnAll: true, ...parameters }), undefined, options);

/** The hints of an execution. */
async function hintsOf(parameters: INodeParameters): Promise<string[]> {
	return (await list(parameters)).hints;
}

describe('the status "all"', () => {
	beforeEach(() => {
		for (const code of Object.keys(USER_STATUS))
			change(active()[30], { user_status: Number(code) });
	});

	it('contains a member once who changes status during the search, and still fills the limit', async () => {
		// On the first page, which has already been read.
		const [moving] = active();
		const run = () => change(moving, { user_status: 6 });
		sandbox.faults.add({ kind: 'call', path: '/api/v1/users', after: 1, times: 1, run });
		const count = active().length + 2;
		const { items } = await list({ returnAll: false, limit: count, filters: { status: 'all' } });
		const msids = items.map(({ json }) => json.msid);
		expect(new Set(msids).size).toBe(count);
	});
});

describe('a hint', () => {
	const ACTIVE = "Only active members are included. For others, add the filter 'Status'.";

	it('reports that only active members are listed, unless a status is set', async () => {
		expect(await hintsOf({})).toContain(ACTIVE);
		expect(await hintsOf({ filters: {} })).toContain(ACTIVE);
		expect(await hintsOf({ filters: { status: 10 } })).not.toContain(ACTIVE);
		expect(await hintsOf({ filters: { status: 'all' } })).not.toContain(ACTIVE);
	});
});

describe('Include Details', () => {
	const options = { includeDetails: true };

	it('returns each member like Get, in the order of the list', async () => {
		for (const simplify of [true, false]) {
			const { items } = await list({ simplify, options });
			const { items: listed } = await list({});
			expect(items.map(({ json }) => json.msid)).toEqual(listed.map(({ json }) => json.msid));
			const { items: read } = await run(
				{ ...getUser('={{ $json.msid }}'), simplify },
				listed.map(({ json }) => json),
			);
			expect(items.map(({ json }) => json)).toEqual(read.map(({ json }) => json));
		}
	});

	it('reads all listed members, but none beyond the limit', async () => {
		await list({ returnAll: false, limit: 7, options });
		expect(reads()).toBe(7);
	});

	const refuseOne = () => {
		// Among the first that are read.
		const { msid } = sandbox.community.members(10, 'user_id', 'desc')[3];
		const path = `/api/v1/users/${msid}`;
		sandbox.faults.add({ kind: 'status', status: 403, message: 'closed', path });
		return msid;
	};

	it('returns a failed item for a member who could not be read, and all other members', async () => {
		const msid = refuseOne();
		const { items, error } = await list({ options }, { onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(active().length);
		const failed = items.filter(({ json }) => 'error' in json);
		expect(failed).toHaveLength(1);
		expect(failed[0].json).toEqual({
			error: 'Closed',
			message: expect.stringMatching(new RegExp(`This concerns member ${msid}\\.$`)) as string,
			details: expect.objectContaining({ httpCode: 403, msid }) as object,
		});
		expect(failed[0].pairedItem).toEqual({ item: 0 });
	});

	it('reports that a member who left in the meantime was still in the list', async () => {
		const { msid } = active()[0];
		const run = () => sandbox.community.removeUser(msid);
		sandbox.faults.add({ kind: 'call', path: `/api/v1/users/${msid}`, run });
		const { error } = await list({ options });
		expect(error?.description).toBe(
			`Run this again. Member ${msid} is in the list, but has just left or is hidden from the owner of the API key.`,
		);
	});

	it('sends only the failed item to the error output', async () => {
		refuseOne();
		const { items, failed } = await list({ options }, { onError: 'continueErrorOutput' });
		expect([items.length, failed.length]).toEqual([active().length - 1, 1]);
	});

	it('ends the execution with that failure with Stop, and reads no further', async () => {
		const msid = refuseOne();
		const { error } = await list({ options: { ...options, maxRequestsAtOnce: 1 } });
		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain(msid);
		expect(reads()).toBeLessThan(active().length);
	});

	it('blames no item if the key is refused', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, pattern: '/users/\\d' });
		const { error } = await list({ options }, { items: [{}, {}] });
		expect(error?.message).toBe('The sandbox was told to refuse this');
	});

	it('is not possible if the list contains no ID', async () => {
		sandbox.faults.add({ kind: 'notAList', value: [{ username: 'ada', first_name: 'Ada' }] });
		expect((await list({ options })).error?.message).toMatch(/^The list contains a member without/);
	});

	it('does not wait for a pause after that failure has ended the execution', async () => {
		const pattern = /users\/\d/;
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 300, pattern, times: 1 });
		sandbox.faults.add({ kind: 'slow', delayMs: 100, pattern });
		refuseOne();
		// The test's own time limit is far below the pause.
		expect((await list({ options })).error?.httpCode).toBe('403');
	});
});
