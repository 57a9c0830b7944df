import { asked, useSandbox } from '../support/community.mts';
import {
	action,
	createTag,
	getUser,
	toldAtStop,
	updateComment,
	updateRole,
} from '../support/operations.mts';
import { runNode } from '../support/engine.mts';
import { hasDetailsInErrorOutput } from '../support/generations.mts';

describe('Failures of items', () => {
	const sandbox = useSandbox();
	const getMember = getUser('={{ $json.id }}');
	const edit = updateComment('={{ $json.id }}', 'Mended');
	const found = (id: number) => ({ id, name: `member ${id}` });
	const UNKNOWN = { id: 9999, name: 'unknown' };
	const UNUSABLE = { id: '/x', name: 'unusable' };

	const notFound = {
		error: 'No user has the id 9999',
		message:
			"Check 'Member' (9999). Either no such record exists, or the owner of the API key cannot see it.",
		details: {
			httpCode: 404,
			status: 'NOT_FOUND',
			code: 'ERR_V1404',
			errorId: expect.any(String),
			time: expect.any(String),
		},
	};
	const commentNotFound =
		"Check 'Comment ID' (9999). Either no such record exists, or the owner of the API key cannot see it.";
	const notUsable = {
		error: "'/x' is not a member ID",
		message:
			"Enter a username, an email address or a member ID (msid) in 'Member', e.g. 42.a1b2c3.",
	};

	function inErrorOutput({
		error,
		message,
		details,
	}: {
		error: string;
		message: string;
		details?: object;
	}) {
		return hasDetailsInErrorOutput
			? { error, message, ...(details && { details }) }
			: { error, message: expect.stringContaining(message) as string };
	}

	describe('Stop', () => {
		it('stops with the reason, the advice, the count and the item, and sends no further request', async () => {
			const ids = [...sandbox.community.comments.keys()].slice(0, 30);
			const items = [...ids.slice(0, 7), 9999, ...ids.slice(7)].map((id) => ({ id }));
			const parameters = { ...edit, options: { maxRequestsAtOnce: 1 } };
			const { items: output, error } = await runNode(sandbox, parameters, { items });
			expect(output).toEqual([]);
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message: 'No comment has the id 9999 (item 8)',
				description: toldAtStop(edit, commentNotFound, 7, true),
				httpCode: '404',
				context: { itemIndex: 7 },
			});
			expect(asked(sandbox)).toEqual(
				[...ids.slice(0, 7), 9999].map((id) => `PUT /api/v1/comments/${id}`),
			);
		});

		it('counts requests in flight when it stops, and starts none after the answer', async () => {
			sandbox.settings.delayMs = 10;
			const ids = [...sandbox.community.comments.keys()].slice(0, 200);
			const items = [...ids.slice(0, 10), 9999, ...ids.slice(10)].map((id) => ({ id }));
			const parameters = { ...edit, options: { maxRequestsAtOnce: 5 } };
			const { error } = await runNode(sandbox, parameters, { items });
			const { all } = sandbox.requests;
			const refused = all.findIndex(({ status }) => status === 404);
			expect(all.length).toBeLessThanOrEqual(refused + 1 + 4 + 4);
			const applied = all.filter(({ status }) => status === 200).length;
			expect(error?.description).toContain(
				` Items already applied: ${applied}. The other items were not processed.`,
			);
			expect(sandbox.requests.inFlight).toBe(0);
		});

		it('counts items that needed no change neither as applied nor as not processed', async () => {
			const [one, other] = sandbox.community.members(10, 'user_id', 'asc');
			sandbox.community.changeUser(one.msid, { role_id: 10 });
			sandbox.community.changeUser(other.msid, { role_id: 5 });
			// So the others have finished by then.
			sandbox.faults.add({ kind: 'slow', path: '/api/v1/users/99999.gone', delayMs: 300 });
			const parameters = updateRole('={{ $json.msid }}', '5');
			const { error } = await runNode(
				sandbox,
				{ ...parameters, options: { skipUnchanged: true } },
				{ items: [one, other, { msid: '99999.gone' }].map(({ msid }) => ({ msid })) },
			);
			expect(error?.description).toMatch(/ Items already applied: 1\.$/);
		});

		it('does not send creates after a failed one', async () => {
			const [taken] = sandbox.community.tags.values();
			const before = sandbox.community.tags.size;
			const items = ['First', 'Second', taken.name, 'Fourth', 'Fifth'].map((name) => ({ name }));
			const { error } = await runNode(sandbox, createTag('={{ $json.name }}'), { items });
			expect(error?.context?.itemIndex).toBe(2);
			expect(error?.description).toBe(
				toldAtStop(createTag(''), "If the tag already exists, use 'Create or Update'.", 2, true),
			);
			expect(asked(sandbox)).toHaveLength(3);
			expect(sandbox.community.tags.size).toBe(before + 2);
		});

		it.each([
			['the first', [UNUSABLE, found(101), found(102)], 0],
			['the last', [found(101), found(102), UNUSABLE], 2],
		])('sends no request if a parameter of %s item cannot be used', async (_, items, index) => {
			for (const parameters of [getMember, updateRole('={{ $json.id }}', '5')]) {
				const { error } = await runNode(sandbox, parameters, { items });
				expect(error).toMatchObject({
					message: `${notUsable.error} (item ${index + 1})`,
					description: toldAtStop(parameters, notUsable.message, 0, true),
					context: { itemIndex: index },
				});
			}
			expect(asked(sandbox)).toEqual([]);
		});

		it('names no item if the key is refused, but names the item if another one succeeded', async () => {
			const ids = [...sandbox.community.comments.keys()].slice(0, 3);
			const items = ids.map((id) => ({ id }));
			const options = { maxRequestsAtOnce: 1 };
			const closed = { kind: 'status', status: 403, message: 'closed' } as const;
			sandbox.faults.add({ ...closed, path: `/api/v1/comments/${ids[1]}` });
			const later = await runNode(sandbox, { ...edit, options }, { items });
			expect(later.error?.message).toBe('Closed (item 2)');
			const refused = await runNode(sandbox, edit, { items, credential: { apiKey: 'wrong' } });
			expect(refused.error?.message).toBe('The API key is not valid');
			expect(refused.error?.description).toMatch(/to grant it\. Nothing was changed\.$/);
		});

		it("contains the item's number once, counted from one", async () => {
			const { error } = await runNode(sandbox, getMember, { items: [found(101), UNUSABLE] });
			expect(error?.message).toMatch(/\(item 2\)$/);
			// The editor turns an index into "[item 1]".
			expect(JSON.parse(JSON.stringify(error)).context).not.toHaveProperty('itemIndex');
		});

		it('passes the number of the only item to an error workflow', async () => {
			const { error } = await runNode(sandbox, getMember, { items: [UNUSABLE] });
			expect(JSON.parse(JSON.stringify(error)).context).toMatchObject({ itemIndex: 0 });
		});

		it('reports the first of several failures', async () => {
			const items = [found(101), { id: '' }, UNUSABLE];
			const { error } = await runNode(sandbox, getMember, { items });
			expect(error?.context?.itemIndex).toBe(1);
		});
	});

	describe('Continue', () => {
		const items = [found(101), UNKNOWN, found(102), UNUSABLE, found(103)];

		it('returns each failure exactly, in the order of the items', async () => {
			const { items: output, error } = await runNode(sandbox, getMember, {
				items,
				onError: 'continueRegularOutput',
			});
			expect(error).toBeUndefined();
			const record = (id: number) => expect.objectContaining({ user_id: id });
			expect(output).toEqual([
				{ json: record(101), pairedItem: { item: 0 } },
				{ json: notFound, pairedItem: { item: 1 } },
				{ json: record(102), pairedItem: { item: 2 } },
				{ json: notUsable, pairedItem: { item: 3 } },
				{ json: record(103), pairedItem: { item: 4 } },
			]);
			for (const item of output) expect(item).not.toHaveProperty('error');
		});

		it('with the error output, sends failures there with the fields of their items', async () => {
			const onError = 'continueErrorOutput';
			const { items: output, failed } = await runNode(sandbox, getMember, { items, onError });
			expect(output.map(({ json }) => json.user_id)).toEqual([101, 102, 103]);
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
				[0, 2, 4].map((item) => ({ item })),
			);
			expect(failed).toEqual([
				{ json: { ...UNKNOWN, ...inErrorOutput(notFound) }, pairedItem: { item: 1 } },
				{ json: { ...UNUSABLE, ...inErrorOutput(notUsable) }, pairedItem: { item: 3 } },
			]);
		});

		it('fails each item if the credential cannot be used', async () => {
			const { items: output } = await runNode(sandbox, getMember, {
				items: [found(101), found(102)],
				onError: 'continueRegularOutput',
				credential: { apiKey: 'wrong' },
			});
			expect(output.map(({ json }) => json.error)).toEqual(
				Array(2).fill('The API key is not valid'),
			);
		});
	});

	it('returns nothing for an item without records, and the records of the others', async () => {
		const { items } = await runNode(
			sandbox,
			action('tag.search', { query: '={{ $json.q }}', limit: 1 }),
			{ items: [{ q: 'zzz' }, { q: 'release' }] },
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});
});
