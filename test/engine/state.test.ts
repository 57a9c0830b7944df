import type { IDataObject } from 'n8n-workflow';
import { answerWith, bendAnswers } from '../support/bending.mts';
import { byId, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { getOnce, useNames } from '../support/named-members.mts';
import { action } from '../support/operations.mts';
import { callUnchecked } from '../support/agent.mts';
import { runNode } from '../support/engine.mts';
import { Poller } from '../support/poller.mts';

const sandbox = useSandbox({ members: 65, largestPage: 20 });
withoutBackoff();
const { run, caller } = useNames(sandbox);

const active = () => sandbox.community.members(10, 'joined', 'desc');

describe('remembered members', () => {
	it('a member is found even if another one leaves while the members are read', async () => {
		const [leaver, plain] = [active()[10], active()[20]];
		const path = `/api/v1/users/${active()[19].msid}`;
		const leave = () => sandbox.community.removeUser(leaver.msid);
		sandbox.faults.add({ kind: 'call', run: leave, path, times: 1 });
		expect(await run(getOnce('email'), [plain.email])).toEqual([plain.msid]);
	});

	it('a member is found in a later execution, even if another one left between two pages', async () => {
		const [leaver, plain] = [active()[10], active()[40]];
		const leave = () => sandbox.community.removeUser(leaver.msid);
		sandbox.faults.add({ kind: 'call', run: leave, pattern: /users$/, after: 2, times: 1 });
		await run(getOnce('email'), ['nobody@members.example']);
		sandbox.faults.clear();
		expect(await run(getOnce('email'), [plain.email])).toEqual([plain.msid]);
	});

	it('a member is not reported as missing for ten minutes if another one was banned between two pages', async () => {
		const [banned, plain] = [active()[10], active()[40]];
		const ban = () => void sandbox.community.changeUser(banned.msid, { user_status: -3 });
		sandbox.faults.add({ kind: 'call', run: ban, pattern: /users$/, after: 2, times: 1 });
		await run(getOnce('email'), ['nobody@members.example']);
		sandbox.faults.clear();
		await run(getOnce('email'), [banned.email]);
		expect(await run(getOnce('email'), [plain.email])).toEqual([plain.msid]);
	});

	it.each<[string, joinedAt: Date]>([
		['another member has an old ID', new Date(Date.UTC(2031, 0, 2))],
		['another member with an old ID ends a page', new Date(Date.UTC(2031, 0, 1, 0, 6, 30))],
		['an old member has joined again', new Date(Date.UTC(2031, 0, 2))],
	])(
		'a member among twenty-five who joined since is found even if above them %s',
		async (what, joinedAt) => {
			await run(getOnce('email'), ['nobody@members.example']);
			const joined = range(1, 25).map((at) =>
				sandbox.community.join({ created_at: new Date(Date.UTC(2031, 0, 1, 0, at)).toISOString() }),
			);
			const { user_id } = active()[40];
			const created_at = joinedAt.toISOString();
			if (what.startsWith('another')) {
				sandbox.community.removeUser(user_id);
				sandbox.community.join({ user_id, sid: 'another', created_at });
			} else sandbox.community.changeUser(user_id, { created_at });
			const [{ email, msid }] = joined;
			expect(await run(getOnce('email'), [email])).toEqual([msid]);
		},
	);

	it.each(['who cannot be read', 'of a status that may not be listed'])(
		'a dry run of Create or Get does not plan to create a member %s',
		async (which) => {
			const isUnread = which === 'who cannot be read';
			const one = isUnread ? active()[5] : sandbox.community.members(-3, 'joined', 'desc')[0];
			if (isUnread)
				sandbox.faults.add({ kind: 'status', status: 403, path: `/api/v1/users/${one.msid}` });
			const bent = await bendAnswers(sandbox, (answer) => {
				const records = JSON.parse(answer.body) as IDataObject[];
				if (!isUnread && Array.isArray(records) && records[0]?.user_status === -3)
					answerWith(answer, { status: 'FORBIDDEN' }, 403);
			});
			try {
				const { items } = await runNode(
					{ ...sandbox, ...bent.sandbox },
					action('user.createOrGet', {
						firstName: 'Ada',
						email: one.email,
						options: { dryRun: true },
					}),
					caller(),
				);
				expect(items[0].json.action).not.toBe('create');
			} finally {
				await bent.close();
			}
		},
	);
});

describe('the output of the next attempt', () => {
	it.each([true, false])(
		'does not report an old member as created after a lost answer: applied %s',
		async (applied) => {
			const old = active()[25];
			sandbox.faults.add({ kind: 'cut', method: 'POST', applied, times: 1 });
			const { items: given, error } = await runNode(
				sandbox,
				action('user.createOrGet', { firstName: 'Ada', email: old.email }),
				{ maxTries: 2, ...caller() },
			);
			expect(error).toBeUndefined();
			expect(given[0].json).toMatchObject({ msid: old.msid, created: false });
		},
	);
});

describe('polling', () => {
	it.each(['10', 'ACTIVE'])('a new member read with the status as %s is returned', async (word) => {
		const bent = await bendAnswers(sandbox, (answer) => {
			const record = JSON.parse(answer.body) as IDataObject;
			if (!Array.isArray(record) && 'msid' in record)
				answerWith(answer, { ...record, user_status: word });
		});
		try {
			const poller = new Poller(
				{ ...sandbox, ...bent.sandbox },
				{ options: { includeDetails: true } },
			);
			await poller.poll();
			const { msid } = sandbox.community.join({ first_name: 'Ada' });
			expect(await poller.poll()).toMatchObject([{ msid }]);
		} finally {
			await bent.close();
		}
	});

	it('a new member without an address does not make polls fail if another one cannot be read', async () => {
		const waiting = sandbox.community.members(4, 'joined', 'desc');
		for (const { user_id } of waiting.slice(1)) sandbox.community.admit(user_id);
		const poller = new Poller(sandbox, { filters: { emailDomains: 'example.com' }, status: 4 });
		await poller.poll();
		sandbox.faults.add({ kind: 'status', status: 403, path: `/api/v1/users/${waiting[0].msid}` });
		Object.assign(sandbox.community.waitlist({ first_name: 'Ada' }), { email: null });
		expect(await poller.poll()).toEqual([]);
		sandbox.community.waitlist({ first_name: 'Bob', email: 'bob@example.com' });
		expect(await poller.poll()).toMatchObject([{ first_name: 'Bob' }]);
	});
});

describe('entered values', () => {
	it.each<[string, IDataObject]>([
		['nothing', {}],
		['blank', { cell: '' }],
	])(
		'a board that a tool creates is not public if the expression for Private returned %s',
		async (_, cell) => {
			const parameters = action('board.upsert', {
				boardName: "={{ $fromAI('name') }}",
				additionalFields: {
					isPrivate: `={{ ${JSON.stringify(cell)}.cell }}`,
					hiddenType: `={{ ${JSON.stringify(cell)}.cell }}`,
				},
			});
			const [answer] = await callUnchecked(sandbox, parameters, { name: 'Quite New' });
			expect(sandbox.requests.matching('POST')).toEqual([]);
			expect(answer).toContain('Enter a value for the new board');
		},
	);

	it('a blank cell does not empty the username of a member', async () => {
		const { msid, username } = active()[3];
		const { error } = await runNode(
			sandbox,
			action('user.update', {
				userId: byId(msid),
				hiddenFields: 'clear',
				updateFields: { username: '={{ $json.cell }}', userDescription: 'New' },
			}),
			{ items: [{ cell: '' }] },
		);
		expect(sandbox.requests.matching('PUT')[0].body).toMatchObject({ username });
		expect(error).toBeUndefined();
	});

	it.each([{ emailDomains: ' , ' }, { roleIds: ';,' }])(
		"a trigger's filter that would match all members is refused: %j",
		async (filters) => {
			const poller = new Poller(sandbox, { filters });
			await expect(poller.poll()).rejects.toThrow();
		},
	);

	it.each<[string, IDataObject]>([
		['nothing', {}],
		['null', { cell: null }],
		['blank', { cell: '' }],
	])(
		"a tool's filter set by an expression of the workflow (%s) does not match all members",
		async (_, cell) => {
			const parameters = action('user.getAll', {
				returnAll: true,
				filters: { roleId: byId(`={{ ${JSON.stringify(cell)}.cell }}`) },
			});
			const [answer] = await callUnchecked(sandbox, parameters, {});
			expect(answer).toContain('is empty');
		},
	);
});
