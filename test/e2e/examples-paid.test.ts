import axios from 'axios';
import { type Execution, outputOf, type SavedWorkflow } from '../../dev/n8n/client.mts';
import { importExample } from '../../dev/n8n/examples.mts';
import { until } from '../../dev/tools/wait.mts';
import type { User } from '../../sandbox/records.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { useFixture } from './support/use-fixture.mts';

const SECRET = { name: 'X-Payment-Secret', value: 'a long random text' };
const MODERATOR = 5;
const MEMBER = 10;
const SUPPORTER = 30;
const BOARD = 2_000;
const TIMEOUT_MS = 30_000;

const fixture = useFixture({ members: 120 });
const { activate } = useActivation(fixture);

describe('Give paying members access to a private board', () => {
	let workflow: SavedWorkflow;
	let runs: number;

	beforeEach(async () => {
		const { client, credential, sandbox } = fixture;
		const { boards, boardMembers, roles } = sandbox.community;
		const [[, board]] = boards;
		boards.set(BOARD, {
			...board,
			board_id: BOARD,
			board_name: 'Paying Members',
			is_private: true,
		});
		boardMembers.set(BOARD, new Set());
		const role = { role_name: 'Supporter', role_details: null, is_default: false };
		roles.set(SUPPORTER, { role_id: SUPPORTER, ...role });
		runs = 0;
		const httpHeaderAuth = await client.createCredential('Payments', 'httpHeaderAuth', SECRET);
		workflow = await importExample(client, 'paid-membership', credential, (node) =>
			node.name === 'Payment Received' ? { ...node, credentials: { httpHeaderAuth } } : node,
		);
		await activate(workflow);
		// A request without the secret starts no execution.
		await until('the webhook', async () => (await pay({}, {})) === 403, TIMEOUT_MS);
	});

	async function pay(
		payment: object,
		headers: Record<string, string> = { [SECRET.name]: SECRET.value },
	): Promise<number> {
		const url = `${fixture.url}/webhook/paid-membership`;
		const answer = await axios.post(url, payment, {
			headers,
			proxy: false,
			validateStatus: () => true,
		});
		return answer.status;
	}

	async function applied(payment: object): Promise<Execution> {
		expect(await pay(payment)).toBe(200);
		return (await executionsOf(fixture, workflow, ++runs)).at(-1)!;
	}

	async function anHourLater(): Promise<Execution> {
		runs++;
		return await fixture.client.waitForExecution(
			await fixture.client.runWorkflow(workflow.id, 'Every Hour'),
		);
	}

	// n8n remembers the members it has read, and a restored community would use the same IDs again.
	let joined = 5_000;
	const join = (profile: Partial<User> & Pick<User, 'first_name'>) =>
		fixture.sandbox.community.addUser({ ...profile, user_id: ++joined });

	const stateOf = ({ msid }: User) => {
		const { community } = fixture.sandbox;
		return [community.boardMembers.get(BOARD)!.has(msid), community.user(msid).role_id];
	};

	test('grants access and role after a payment, and removes both after a cancellation', async () => {
		const member = join({ first_name: 'Ada', email: 'ada@paid.example' });
		const payment = { email: ' Ada@Paid.example', plan: 'yearly' };

		const paid = await applied({ ...payment, status: 'paid' });
		expect(paid.data.resultData.error).toBeUndefined();
		expect(stateOf(member)).toEqual([true, SUPPORTER]);

		const cancelled = await applied({ ...payment, status: 'cancelled' });
		expect(cancelled.data.resultData.error).toBeUndefined();
		expect(stateOf(member)).toEqual([false, MEMBER]);

		const later = await anHourLater();
		expect(outputOf(later, 'Read the List')).toEqual([]);
	});

	test('keeps any other role of a member, and ignores other events', async () => {
		const { requests } = fixture.sandbox;
		const email = 'grace@paid.example';
		const member = join({ first_name: 'Grace', email, role_id: MODERATOR });

		await applied({ email, plan: 'yearly', status: 'paid' });
		expect(stateOf(member)).toEqual([true, MODERATOR]);

		requests.clear();
		await applied({ email, plan: 'yearly', status: 'failed' });
		expect(requests.all).toEqual([]);

		await applied({ email, plan: 'yearly', status: 'cancelled' });
		expect(stateOf(member)).toEqual([false, MODERATOR]);
	});

	test('lists the latest event of an unknown address, and applies it after the member has joined', async () => {
		const { community, requests } = fixture.sandbox;
		const email = 'eve@paid.example';
		const payment = { email, plan: 'monthly', status: 'paid' };

		await applied({ ...payment, status: 'cancelled' });
		const unknown = await applied(payment);
		await anHourLater();
		expect(unknown.status).toBe('success');
		expect(requests.all.filter(({ method }) => method !== 'GET')).toEqual([]);
		expect(community.boardMembers.get(BOARD)!.size).toBe(0);

		const member = join({ first_name: 'Eve', email });
		const later = await anHourLater();
		expect(outputOf(later, 'Read the List')).toEqual([expect.objectContaining(payment)]);
		expect(stateOf(member)).toEqual([true, SUPPORTER]);
		expect(outputOf(await anHourLater(), 'Read the List')).toEqual([]);
	});

	test('fails if a change is refused, and applies it an hour later', async () => {
		const { faults } = fixture.sandbox;
		const email = 'ida@paid.example';
		const member = join({ first_name: 'Ida', email });
		faults.add({ kind: 'status', status: 403, message: 'closed', method: 'PATCH' });

		const { status, data } = await applied({ email, plan: 'monthly', status: 'paid' });
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toContain(`${email} is not applied yet: Closed`);

		faults.clear();
		await anHourLater();
		expect(stateOf(member)).toEqual([true, SUPPORTER]);
		expect(outputOf(await anHourLater(), 'Read the List')).toEqual([]);
	});
});
