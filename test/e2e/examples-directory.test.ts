import axios from 'axios';
import type { Execution, SavedWorkflow } from '../../dev/n8n/client.mts';
import { importExample } from '../../dev/n8n/examples.mts';
import { until } from '../../dev/tools/wait.mts';
import type { User } from '../../sandbox/records.mts';
import { useActivation } from './support/active.mts';
import { addColumn, changeRow, deleteTable, rowsOf } from './support/data-tables.mts';
import { useStage } from './support/use-stage.mts';

const TABLE = 'member directory';
const SECRET = { name: 'X-Directory-Secret', value: 'a long random text' };
const MODERATOR = 5;
const BANNED = -3;
const DELETED = -100;
const TIMEOUT_MS = 30_000;

const scenery = useStage({ members: 60 });
const { activate } = useActivation(scenery);

describe('Find a member by email address, and see who left or was banned', () => {
	let workflow: SavedWorkflow;

	beforeEach(async () => {
		const { client, credential } = scenery;
		await deleteTable(client, TABLE);
		const header = await client.createCredential('Directory', 'httpHeaderAuth', SECRET);
		workflow = await importExample(client, 'member-directory', credential, (node) =>
			node.name === 'Who Has This Email'
				? { ...node, credentials: { httpHeaderAuth: header } }
				: node,
		);
	});

	async function night(): Promise<Execution> {
		const { client } = scenery;
		return await client.waitForExecution(await client.runWorkflow(workflow.id, 'Every Night'));
	}

	async function changesOf(run: Promise<Execution>): Promise<unknown[]> {
		const { status, data } = await run;
		expect([status, data.resultData.error]).toEqual(['success', undefined]);
		const runs = data.resultData.runData.Changes ?? [];
		return runs.flatMap((each) => (each.data?.main[0] ?? []).map(({ json }) => json));
	}

	async function rows() {
		const all = await rowsOf(scenery.client, TABLE);
		return new Map(all?.map(({ msid, email, role, status }) => [msid, { email, role, status }]));
	}

	async function lookUp(body: object, headers: object = { [SECRET.name]: SECRET.value }) {
		const url = `${scenery.url}/webhook/member-directory`;
		const { status, data } = await axios.post<unknown>(url, body, {
			...{ headers: { ...headers }, proxy: false, validateStatus: () => true },
		});
		return { status, data };
	}

	const change = ({ msid, email }: User, what: string, from: string, to: string) =>
		expect.objectContaining({ msid, email, what, from, to });

	const members = () => [...scenery.sandbox.community.users.values()];

	test('fills the table in the first night, then reports each change once', async () => {
		const { community } = scenery.sandbox;
		const [left, deleted, banned, promoted, other] = ['Ada', 'Bo', 'Cy', 'Di', 'Ed'].map(
			(first_name) =>
				community.addUser({ first_name, email: `${first_name}@directory.example`.toLowerCase() }),
		);

		expect(await changesOf(night())).toEqual([]);
		const filled = await rows();
		expect([...filled.keys()].toSorted()).toEqual(
			members()
				.map(({ msid }) => msid)
				.toSorted(),
		);
		const active = { role: 'Member', status: 'ACTIVE' };
		expect(filled.get(left.msid)).toEqual({ email: left.email, ...active });

		community.removeUser(left.msid);
		community.changeUser(deleted.msid, { user_status: DELETED });
		community.changeUser(banned.msid, { user_status: BANNED, role_id: MODERATOR });
		community.promote(promoted.msid, MODERATOR);
		community.changeUser(other.msid, { email: 'edward@directory.example' });
		const joined = community.join({ first_name: 'Flo', email: 'flo@directory.example' });

		const changes = await changesOf(night());
		expect(changes).toHaveLength(5);
		expect(changes).toEqual(
			expect.arrayContaining([
				change(left, 'status', 'ACTIVE', 'LEFT'),
				change(deleted, 'status', 'ACTIVE', 'DELETED'),
				change(banned, 'status', 'ACTIVE', 'BANNED'),
				change(banned, 'role', 'Member', 'Moderator'),
				change(promoted, 'role', 'Member', 'Moderator'),
			]),
		);
		const updated = await rows();
		expect([...updated.keys()].toSorted()).toEqual(
			members()
				.map(({ msid }) => msid)
				.toSorted(),
		);
		expect(updated.get(banned.msid)).toMatchObject({ role: 'Moderator', status: 'BANNED' });
		expect(updated.get(other.msid)).toEqual({ email: 'edward@directory.example', ...active });
		expect(updated.get(joined.msid)).toEqual({ email: 'flo@directory.example', ...active });

		expect(await changesOf(night())).toEqual([]);
		expect(await rows()).toEqual(updated);
	});

	test('keeps what a manager writes into a column of their own', async () => {
		const { client } = scenery;
		await night();
		await addColumn(client, TABLE, 'note');
		const [{ id }] = (await rowsOf(client, TABLE))!;
		await changeRow(client, TABLE, id, { note: 'met in Oslo' });

		expect(await changesOf(night())).toEqual([]);

		const all = (await rowsOf(client, TABLE))!;
		expect(all.find((row) => row.id === id)).toMatchObject({ note: 'met in Oslo' });
		expect(all).toHaveLength(members().length);
	});

	test.each([
		['refused', { kind: 'status', status: 403, message: 'closed' }],
		['answered by something else', { kind: 'html', status: 404 }],
		['answered with the 404 of the API', { kind: 'status', status: 404, message: 'nothing here' }],
	] as const)('changes and reports nothing when the list is %s', async (_how, answer) => {
		const { faults } = scenery.sandbox;
		await night();
		const before = await rows();
		expect(before.size).toBe(members().length);
		faults.add({ method: 'GET', pattern: /\/users$/, ...answer });

		const { status, data } = await night();

		expect(status).toBe('error');
		expect(data.resultData.lastNodeExecuted).toBe('Not Read');
		expect(data.resultData.error?.message).toContain('the list of members could not be read');
		expect(data.resultData.runData).not.toHaveProperty('Compare with Last Night');
		expect(await rows()).toEqual(before);
	});

	test('changes and reports nothing when a member cannot be read', async () => {
		const { community, faults } = scenery.sandbox;
		await night();
		const before = await rows();
		const [unread, left] = members();
		community.removeUser(left.msid);
		const path = `/api/v1/users/${unread.msid}`;
		faults.add({ kind: 'status', status: 403, message: 'closed', path });

		const { status, data } = await night();

		expect(status).toBe('error');
		expect(data.resultData.error?.message).toContain(`${unread.msid} could not be read: Closed`);
		expect(await rows()).toEqual(before);
	});

	test('reports a member who leaves during the run, and none whom the list only missed', async () => {
		const { community, faults } = scenery.sandbox;
		const [left, kept] = ['Ada', 'Bo'].map((first_name) => community.addUser({ first_name }));
		await night();
		const path = `/api/v1/users/${left.msid}`;
		const leave = () => community.removeUser(left.msid);
		faults.add({ kind: 'call', path, times: 1, run: leave });
		const { users } = community;
		const all = community.members.bind(community);
		community.members = (...args) => all(...args).filter(({ msid }) => msid !== kept.msid);

		try {
			expect(await changesOf(night())).toEqual([change(left, 'status', 'ACTIVE', 'LEFT')]);
		} finally {
			community.members = all;
		}
		expect([...(await rows()).keys()]).toHaveLength(users.size);
		expect(await changesOf(night())).toEqual([]);
	});

	test('answers which member has an email address, to who knows the secret', async () => {
		const { community } = scenery.sandbox;
		const { msid } = community.addUser({ first_name: 'Ada', email: 'Ada@directory.example' });
		await night();
		await activate(workflow);
		await until('the webhook', async () => (await lookUp({}, {})).status === 403, TIMEOUT_MS);

		const found = await lookUp({ email: ' ada@Directory.example ' });
		expect(found.status).toBe(200);
		expect(found.data).toEqual([
			expect.objectContaining({ msid, first_name: 'Ada', role: 'Member', status: 'ACTIVE' }),
		]);
		for (const body of [{ email: 'eve@directory.example' }, { email: '' }, {}]) {
			expect(await lookUp(body)).toEqual({ status: 200, data: [] });
		}
		const { status, data } = await lookUp({ email: 'ada@directory.example' }, {});
		expect([status, JSON.stringify(data)]).toEqual([403, expect.not.stringContaining(msid)]);
	});
});
