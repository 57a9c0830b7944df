import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { openApi } from '../../nodes/shared/transport/api.ts';
import { listingsOf } from '../../nodes/shared/transport/listings.ts';
import type { Fault } from '../../sandbox/faults.mts';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { everythingIn } from '../support/everything.mts';
import { getUser } from '../support/operations.mts';
import { credentialFor, pick } from './editor.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox();
withoutBackoff();

// How far the clock that pickers go by is ahead of the real one.
let aheadMs = 0;
const now = performance.now.bind(performance);
const later = (ms: number) => () => {
	aheadMs += ms;
};
// Pickers cache pages by source system, so each test has its own.
let caller = 0;
beforeEach(() => {
	caller++;
	aheadMs = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
});
afterEach(() => jest.mocked(performance.now).mockRestore());

type Picker = Parameters<typeof pick>[1];
const credential = (changes: Partial<ICredentialDataDecryptedObject> = {}) =>
	credentialFor(sandbox, { sourceSystem: `caller ${caller}`, ...changes });
const search = async (picker: Picker, filter?: string, token?: unknown) =>
	await pick(credential(), picker, filter, token as string | undefined);
const pages = () => sandbox.requests.all.map(({ query }) => Number(query.page));

describe('once its time is up', () => {
	it('a search gives what it has, and goes on from there', async () => {
		sandbox.faults.add({ kind: 'shortPages', keep: 10 });
		sandbox.faults.add({ kind: 'call', after: 5, times: 1, run: later(8000) });

		const first = await search('searchBoards', 'announcements');
		expect(pages()).toEqual([1, 2, 3, 4, 5, 6]);
		expect(first.results.length).toBeGreaterThan(0);
		expect(first.paginationToken).toBe('7');

		const second = await search('searchBoards', 'announcements', first.paginationToken);
		expect(pages()[6]).toBe(7);
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
		expect(values).toHaveLength(5);
	});

	it('a search without a match says where to go on', async () => {
		sandbox.faults.add({ kind: 'shortPages', keep: 10 });
		sandbox.faults.add({ kind: 'call', after: 5, times: 1, run: later(8000) });
		expect(await search('searchBoards', 'no such thing')).toEqual({
			...{ results: [], paginationToken: '7' },
		});
	});

	it('a user on the wait-list is found, however long the list of active users is', async () => {
		const { msid } = sandbox.community.waitlist({ first_name: 'Zoe', username: 'zoe_waits' });
		const waiting = sandbox.community.members(4, 'name', 'asc').length;
		sandbox.faults.add({ kind: 'shortPages', keep: 5 });
		const until = 3 * Math.ceil(waiting / 5);
		sandbox.faults.add({ kind: 'call', after: until, times: 1, run: later(8000) });

		const { results, paginationToken } = await search('searchUsers', 'zoe_w');

		expect(results).toEqual([{ name: 'Zoe (zoe_waits), wait-listed', value: msid }]);
		expect(paginationToken).toMatch(/^\d+(,6:\d+)?$/);
	});

	/** Holds requests back until they are released; when they come, the time is up. */
	function hold(after = 0): () => void {
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		const run = async () => {
			aheadMs += 8000;
			await held;
		};
		sandbox.faults.add({ kind: 'call', times: 1, after, run });
		return release;
	}

	it('an answer that does not come is not waited for, but there when the list is opened again', async () => {
		const release = hold();
		await expect(search('searchRoles')).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The API did not answer within 8 seconds',
			description:
				'Try again in a moment, or choose "By ID" instead of "From List" and enter the ID.',
		});
		release();
		expect((await search('searchRoles')).results).toHaveLength(7);
		expect(asked(sandbox)).toHaveLength(1);
		// It was received, so the next time it is requested again.
		await search('searchRoles');
		expect(asked(sandbox)).toHaveLength(2);
	});

	it('what was found is not held back by an answer that does not come', async () => {
		const release = hold(1);
		const { results, paginationToken } = await search('searchBoards', 'announcements');
		release();
		expect(results).toHaveLength(2);
		expect(paginationToken).toBe('2');
	});
});

describe('a pause that the API asks for', () => {
	const refusal: Fault = { kind: 'status', status: 429, retryAfter: 30, times: 1 };
	const told = {
		name: 'NodeApiError',
		message: 'The community asks for a pause before the next request',
		description: expect.stringMatching(/^Try again in (30|2\d) s, or choose "By ID" instead/),
	};

	async function pauseByWorkflow(): Promise<void> {
		sandbox.faults.add(refusal);
		const parameters = { ...getUser('101'), options: { maxRetries: 0 } };
		const { error } = await runNode(sandbox, parameters, { credential: credential() });
		expect(error?.httpCode).toBe('429');
		sandbox.requests.clear();
	}

	it('of a workflow is not waited out: the user is told how long it lasts', async () => {
		await pauseByWorkflow();
		await expect(search('searchUsers')).rejects.toMatchObject(told);
		await expect(search('searchUsers', 'ada')).rejects.toMatchObject(told);
		expect(asked(sandbox)).toEqual([]);
		aheadMs += 30_000;
		expect((await search('searchUsers')).results).toHaveLength(50);
	});

	it('of a workflow leaves what was listed a moment ago', async () => {
		const { results } = await search('searchBoards');
		await pauseByWorkflow();
		const [, { name, value }] = results;
		expect(await search('searchBoards', name)).toEqual({
			results: expect.arrayContaining([{ name, value }]),
			paginationToken: '2',
		});
		await expect(search('searchBoards', 'no such thing')).rejects.toMatchObject(told);
		expect(asked(sandbox)).toEqual([]);
	});

	it.each([429, 503])('of the picker itself is not waited out (%d)', async (status) => {
		sandbox.faults.add({ ...refusal, status });
		await expect(search('searchRoles')).rejects.toMatchObject(told);
		expect(asked(sandbox)).toHaveLength(1);
	});

	it('in the middle of a search ends it with what was found', async () => {
		sandbox.faults.add({ ...refusal, after: 1 });
		const { results, paginationToken } = await search('searchBoards', 'announcements');
		expect(results).toHaveLength(2);
		expect(paginationToken).toBe('2');
		expect(asked(sandbox)).toHaveLength(2);
	});

	it('that is over in a moment is waited for', async () => {
		sandbox.faults.add({ kind: 'status', status: 429, times: 1 });
		expect((await search('searchRoles')).results).toHaveLength(7);
		expect(asked(sandbox)).toHaveLength(2);
	});
});

describe('what was listed a moment ago', () => {
	it('is looked through without a request, and gone on from where it ended', async () => {
		sandbox.faults.add({ kind: 'shortPages', keep: 10 });
		const first = await search('searchBoards', 'e');
		const read = asked(sandbox).length;
		expect(first.paginationToken).toBe(String(read + 1));
		await search('searchBoards', 'eu');
		await search('searchBoards', 'eur');
		expect(pages()).toEqual([...new Set(pages())]);
		const before = asked(sandbox).length;
		expect((await search('searchBoards', 'e')).results).toEqual(first.results);
		expect(asked(sandbox)).toHaveLength(before);
	});

	it('is shared by letters typed so fast that they are on their way together', async () => {
		sandbox.settings.delayMs = 5;
		const typed = ['e', 'eu', 'eur', 'europ', 'no such thing'];
		const found = await Promise.all(typed.map(async (text) => await search('searchBoards', text)));
		expect(found[3].results).toHaveLength(26);
		expect(pages().sort()).toEqual([1, 2, 3]);
	});

	it('is asked for again after half a minute', async () => {
		await search('searchRoles', 'mod');
		aheadMs += 29_000;
		await search('searchRoles', 'champ');
		expect(asked(sandbox)).toHaveLength(1);
		aheadMs += 1000;
		await search('searchRoles', 'champ');
		expect(asked(sandbox)).toHaveLength(2);
	});

	it('is requested again when the list is opened again', async () => {
		await search('searchUsers', 'zoe_');
		const { msid } = sandbox.community.waitlist({ first_name: 'Zoe', username: 'zoe_waits' });
		expect((await search('searchUsers', 'zoe_')).results).toEqual([]);
		sandbox.requests.clear();
		await search('searchUsers');
		expect(asked(sandbox)).toEqual([
			'GET /api/v1/users?sort_by=name&order=asc&page=1&page_size=50',
		]);
		expect((await search('searchUsers', 'zoe_')).results).toEqual([
			{ name: 'Zoe (zoe_waits), wait-listed', value: msid },
		]);
	});

	it('is not shown to a caller with another key', async () => {
		await search('searchBoards', 'europe');
		const wrong = pick(credential({ apiKey: 'wrong' }), 'searchBoards', 'europe');
		await expect(wrong).rejects.toMatchObject({ httpCode: '403' });
		sandbox.settings.apiKey = 'another';
		for (const board of sandbox.community.boards.values()) board.board_name = 'Europe for me';
		const other = await pick(credential({ apiKey: 'another' }), 'searchBoards', 'europe');
		expect(other.results[0].name).toBe('Europe for me');
		const mine = await search('searchBoards', 'europe');
		expect(mine.results[0].name).not.toBe('Europe for me');
	});

	it('is kept without the key', async () => {
		await search('searchBoards', 'europe');
		const functions = {
			getCredentials: async () => ({ ...sandbox, sourceSystem: `caller ${caller}` }),
		};
		const state = listingsOf(await openApi(functions as never));
		const kept = everythingIn(state);
		expect(kept).toContain('/boards');
		expect(kept).not.toContain(sandbox.apiKey);
	});

	it('is nothing when the API refused', async () => {
		sandbox.faults.add({ kind: 'status', status: 500, times: 1, method: 'GET' });
		sandbox.faults.add({ kind: 'status', status: 400, times: 1, method: 'GET' });
		await expect(search('searchRoles', 'mod')).rejects.toMatchObject({ httpCode: '400' });
		expect((await search('searchRoles', 'mod')).results).toHaveLength(1);
	});
});

it('goes no further than a hundred pages at once', async () => {
	const { boards } = sandbox.community;
	const [like] = boards.values();
	for (let board_id = 1000; board_id < 1100; board_id++)
		boards.set(board_id, { ...like, board_id });
	sandbox.faults.add({ kind: 'shortPages', keep: 2 });
	expect(await search('searchBoards', 'no such thing')).toEqual({
		...{ results: [], paginationToken: '101' },
	});
	expect(asked(sandbox)).toHaveLength(100);
	// A letter more, and the search goes on where it had ended.
	expect(await search('searchBoards', 'no such thing at all')).toEqual({ results: [] });
	expect(asked(sandbox)).toHaveLength(115);
});
