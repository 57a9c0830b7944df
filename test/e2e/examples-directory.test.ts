import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { type Execution, outputOf, type SavedWorkflow } from '../../dev/n8n/client.mts';
import { importExample } from '../../dev/n8n/examples.mts';
import { EVERY_SECOND, polling } from '../../dev/n8n/polling.mts';
import { until } from '../../dev/tools/wait.mts';
import { polls, useActivation } from './support/active.mts';
import { runToEnd } from './support/by-hand.mts';
import { addColumn, changeRow, deleteTable, rowsOf } from './support/data-tables.mts';
import { useFixture } from './support/use-fixture.mts';

const TABLE = 'member directory';
const SECRET = { name: 'X-Directory-Secret', value: 'a long random text' };
const [MODERATOR, BANNED] = [5, -3];
const TIMEOUT_MS = 30_000;

const fixture = useFixture({ members: 60 });
const { activate } = useActivation(fixture);

describe('Find a member by email address, and see who left or was banned', () => {
	let workflow: SavedWorkflow;

	beforeEach(async () => {
		const { client, credential } = fixture;
		await deleteTable(client, TABLE);
		const httpHeaderAuth = await client.createCredential('Directory', 'httpHeaderAuth', SECRET);
		workflow = await importExample(client, 'member-directory', credential, (node) => ({
			...polling(EVERY_SECOND)(node),
			...(node.name === 'Who Has This Email' && { credentials: { httpHeaderAuth } }),
			...(node.retryOnFail && { waitBetweenTries: 1 }),
		}));
	});

	async function night(): Promise<Execution> {
		const { client } = fixture;
		return await client.waitForExecution(await client.runWorkflow(workflow.id, 'Every Night'));
	}

	async function rows() {
		const all = (await rowsOf(fixture.client, TABLE)) ?? [];
		return new Map(all.map((row) => [row.msid, row]));
	}

	async function lookUp(body: object, headers: object = { [SECRET.name]: SECRET.value }) {
		const how = { headers: { ...headers }, proxy: false, validateStatus: () => true } as const;
		const url = `${fixture.url}/webhook/member-directory`;
		const { status, data } = await axios.post<unknown>(url, body, how);
		return { status, data };
	}

	test("keeps a row for each member, including a manager's additions", async () => {
		const { client, sandbox } = fixture;
		const { community, faults } = sandbox;
		const ada = community.addUser({ first_name: 'Ada', email: 'ada@directory.example' });
		const bo = community.addUser({ first_name: 'Bo', user_status: BANNED });
		await night();
		const filled = await rows();
		const { id } = filled.get(ada.msid)!;
		await addColumn(client, TABLE, 'note');
		await changeRow(client, TABLE, id, { note: 'met in Oslo' });

		community.changeUser(ada.msid, { email: 'Lovelace@directory.example', role_id: MODERATOR });
		// A member who leaves while the members are read.
		const { msid } = community.addUser({ first_name: 'Cy' });
		const leave = () => community.removeUser(msid);
		faults.add({ kind: 'call', path: `/api/v1/users/${msid}`, times: 1, run: leave });
		community.join({ first_name: 'Di' });
		expect(await night()).toMatchObject({ status: 'success' });

		const updated = await rows();
		const members = [...community.users.values()];
		expect(new Set(updated.keys())).toEqual(new Set(members.map((member) => member.msid)));
		expect(updated.get(ada.msid)).toMatchObject({
			id,
			email: 'lovelace@directory.example',
			role: 'Moderator',
			status: 'ACTIVE',
			note: 'met in Oslo',
		});
		expect(updated.get(bo.msid)).toMatchObject({ role: 'Member', status: 'BANNED' });
		// Marks rows that no nightly execution has updated.
		expect(updated.get(bo.msid)?.updatedAt).not.toBe(filled.get(bo.msid)?.updatedAt);
	});

	test('fails and leaves the table unchanged if a member cannot be read', async () => {
		const { community, faults } = fixture.sandbox;
		await night();
		const before = await rows();
		const { msid } = community.join();
		faults.add({ kind: 'status', status: 403, message: 'closed', path: `/api/v1/users/${msid}` });

		const { status, data } = await night();

		expect([status, data.resultData.lastNodeExecuted]).toEqual(['error', 'Read All Members']);
		expect(await rows()).toEqual(before);
	});

	test('returns an item for each change, and removes members who have left', async () => {
		const { client, sandbox } = fixture;
		const { community } = sandbox;
		const email = 'ada@directory.example';
		const left = community.addUser({ first_name: 'Ada', email });
		const banned = community.addUser({ first_name: 'Bo' });
		await night();
		const before = await rows();
		await activate(workflow);
		await polls(fixture);

		community.removeUser(left.msid);
		community.changeUser(banned.msid, { user_status: BANNED, role_id: MODERATOR });
		await until('one to be taken out', async () => !(await rows()).has(left.msid), TIMEOUT_MS);
		await polls(fixture);

		const executions = await client.executions({ workflowId: workflow.id });
		const runs = await Promise.all(executions.map(({ id }) => client.waitForExecution(id)));
		const itemsOf = (node: string) => runs.flatMap((run) => outputOf(run, node) as IDataObject[]);
		const changes = itemsOf('Member Changed or Left').map(({ msid, changed }) => [msid, changed]);
		expect(changes).toHaveLength(2);
		expect(changes).toContainEqual([left.msid, ['left']]);
		expect(changes).toContainEqual([banned.msid, ['role', 'status']]);
		// The row, with an email address that the community no longer returns.
		expect(itemsOf('Take Out')).toEqual([expect.objectContaining({ msid: left.msid, email })]);
		expect((await rows()).size).toBe(before.size - 1);
	});

	test('returns the member with an email address to requests with the secret', async () => {
		const { community } = fixture.sandbox;
		const { msid } = community.addUser({ first_name: 'Ada', email: 'Ada@directory.example' });
		await night();
		await activate(workflow);
		await until('the webhook', async () => (await lookUp({}, {})).status === 403, TIMEOUT_MS);

		const found = expect.objectContaining({ msid, role: 'Member', status: 'ACTIVE' });
		const answer = await lookUp({ email: ' ada@Directory.example ' });
		expect(answer).toEqual({ status: 200, data: [found] });
		for (const body of [{ email: 'eve@directory.example' }, { email: '' }, {}]) {
			expect(await lookUp(body)).toEqual({ status: 200, data: [] });
		}
		const { status, data } = await lookUp({ email: 'ada@directory.example' }, {});
		expect([status, JSON.stringify(data)]).toEqual([403, expect.not.stringContaining(msid)]);
	});
});

test('“Write a monthly report” counts members by role, and names those who joined or left', async () => {
	const { client, credential, sandbox } = fixture;
	const { community } = sandbox;
	const { posts } = community;
	const table = 'joined and left';
	await deleteTable(client, table);
	const board = [...community.boards.values()].find(({ is_private }) => is_private)!;
	board.board_name = 'Team';
	const left = community.addUser({ first_name: 'Ada' });
	const often = polling(EVERY_SECOND);
	const workflow = await importExample(client, 'monthly-report', credential, often);
	await activate(workflow);
	const isStarted = async () => (await client.publication(workflow.id)).status === 'published';
	await until('both triggers', isStarted, TIMEOUT_MS);

	community.removeUser(left.msid);
	community.join({ first_name: '', username: 'bo' });
	await until('rows', async () => (await rowsOf(client, table))?.length === 2, TIMEOUT_MS);
	const before = posts.size;
	const active = community.members(10, 'user_id', 'asc').length;
	await runToEnd(fixture, workflow);
	await client.waitForExecution(await client.runWorkflow(workflow.id, 'Every Month'));

	// The second is about the month before.
	const written = [...posts.values()].slice(before);
	expect(written.map(({ board_id, content }) => [board_id, content.split('<br>')])).toEqual(
		[
			['Joined: 1 (bo)', 'Left: 1 (Ada)'],
			['Joined: 0', 'Left: 0'],
		].map((changes) => [
			board.board_id,
			[`Active members: ${active}`, expect.stringMatching(/^By role: .*Member \d/), ...changes],
		]),
	);
});
