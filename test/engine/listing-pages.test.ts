import { pagesAsked, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

describe('Pages of a list', () => {
	// Five pages of active members.
	const sandbox = useSandbox({ members: 120, largestPage: 20 });
	withoutBackoff();

	const allUsers = action('user.getAll', { returnAll: true });
	const activeIds = () =>
		sandbox.community.members(10, 'user_id', 'desc').map(({ user_id: id }) => id);
	const listed = async () => {
		const { items, error } = await runNode(sandbox, allUsers);
		expect(error).toBeUndefined();
		return items.map(({ json }) => json.user_id);
	};

	describe('has_more', () => {
		it.each(['0', ' 0 ', 'false', 'No', '0, 0'])(
			'ends the list if has_more is %j',
			async (value) => {
				sandbox.faults.add({ kind: 'hasMore', value });
				expect(await listed()).toEqual(activeIds().slice(0, 20));
			},
		);

		it.each(['1', 'TRUE', '2', 'more', '0, 1'])(
			'continues the list if has_more is %j',
			async (value) => {
				sandbox.faults.add({ kind: 'hasMore', value, times: 1 });
				expect(await listed()).toEqual(activeIds());
			},
		);

		it.each([null, ''])(
			'continues the list until a page has no new record if has_more is %j',
			async (value) => {
				sandbox.faults.add({ kind: 'hasMore', value });
				expect(await listed()).toEqual(activeIds());
				expect(pagesAsked(sandbox)).toEqual(range(1, Math.ceil(activeIds().length / 20) + 1));
			},
		);

		it('continues the list after a short page and an empty one', async () => {
			sandbox.faults.add({ kind: 'shortPages', keep: 15 });
			sandbox.faults.add({ kind: 'emptyPages', at: 2, count: 3 });
			expect(await listed()).toEqual(activeIds());
		});

		const message =
			"Report the operation and the time to your community platform's support, because this list never ends.";
		const EMPTY = {
			error: 'The last 10 pages of the list had no new record',
			message,
		};

		it.each([
			{ what: 'nothing but empty pages', answer: 'emptyPage', from: 1, text: EMPTY },
			{ what: 'a later page again', answer: 'samePage', from: 3, text: EMPTY },
		] as const)('fails if the API returns $what', async ({ answer, from, text }) => {
			sandbox.faults.add({ kind: 'stuck', answer, from });
			const stopped = await runNode(sandbox, allUsers);
			expect(stopped.items).toEqual([]);
			expect(stopped.error?.message).toBe(text.error);
			expect(stopped.error?.description).toBe(text.message);
			const continued = await runNode(sandbox, allUsers, { onError: 'continueRegularOutput' });
			expect(continued.items).toEqual([{ json: text, pairedItem: { item: 0 } }]);
		});
	});

	it('returns a member once who moves to the next page while the list is read', async () => {
		const before = activeIds();
		sandbox.faults.add({ kind: 'membersChange', join: 1, after: 1, times: 1 });
		const parameters = { ...allUsers, options: { maxRequestsAtOnce: 1 } };
		const { items } = await runNode(sandbox, parameters);
		expect(items.map(({ json }) => json.user_id)).toEqual(before);
		expect(activeIds()).toHaveLength(before.length + 1);
	});

	it('keeps page_size for a list, and its order even if a page arrives late', async () => {
		sandbox.faults.add({ kind: 'slow', delayMs: 60, after: 1, times: 1 });
		expect(activeIds().length).toBeGreaterThan(80);
		expect(await listed()).toEqual(activeIds());
		expect(new Set(sandbox.requests.all.map(({ query }) => query.page_size))).toEqual(
			new Set(['50']),
		);
		expect(new Set(pagesAsked(sandbox)).size).toBe(pagesAsked(sandbox).length);
	});
});
