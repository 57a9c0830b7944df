import { FIRST_NAMES, LAST_NAMES } from '../../sandbox/seed/words.mts';
import { startReceiver } from './support.mts';
import { usePage } from './visitor.mts';

const { sandbox, ask, view } = usePage();

describe('A new member', () => {
	const join = async (body: object = {}) =>
		(await ask('POST', '/_sandbox/newcomers', { body })).data;

	it('has a name like the others, unique and the same after every reset', async () => {
		const first = [(await join()).member, (await join()).member, (await join()).member];
		for (const { first_name, last_name, username, email } of first) {
			expect(FIRST_NAMES).toContain(first_name);
			expect(LAST_NAMES).toContain(last_name);
			expect(email).toBe(`${username}@members.example`);
		}
		expect(new Set(first.map(({ username }) => username)).size).toBe(3);
		sandbox.reset();
		expect((await join()).member).toMatchObject({ msid: first[0].msid, email: first[0].email });
	});

	it('is told to the webhooks, also when it is for the wait-list', async () => {
		expect((await join()).deliveries).toBe(0);
		const receiver = await startReceiver();
		const other = 'http://127.0.0.1:1/';
		sandbox.webhooks.set([{ url: receiver.url }, { url: other, events: ['member.joined'] }]);
		const joined = await join();
		const waiting = await join({ waitlist: true });
		await sandbox.webhooks.settled();
		await receiver.close();
		expect([joined.deliveries, waiting.deliveries]).toEqual([2, 1]);
		expect([joined.member.user_status, waiting.member.user_status]).toEqual([10, 4]);
		const name = `${waiting.member.first_name} ${waiting.member.last_name}`;
		const { deliveries, members } = await view();
		expect(deliveries.total).toBe(3);
		expect(deliveries.rows[0]).toMatchObject({
			id: 3,
			event: 'member.joined_waitlist',
			about: name,
			isOpen: false,
			status: 200,
			answer: expect.stringContaining('"received":'),
		});
		expect(members.rows[0]).toMatchObject({ name, status: 'WAITLIST', role: 'Member' });
		expect(deliveries.rows.find(({ url }: { url: string }) => url === other)).toMatchObject({
			status: null,
			answer: expect.not.stringContaining('Error'),
		});
	});
});

describe('The outcome of a delivery', () => {
	const UUID = '97780059-531c-4709-b34f-e6963705088c';
	/** n8n's own answer to a test URL that does not listen. */
	const NOT_REGISTERED = {
		code: 404,
		message: `The requested webhook "POST ${UUID}/webhook" is not registered.`,
		hint: "Click the 'Execute workflow' button on the canvas, then try again. (In test mode, the webhook only works for one call after you click this button)",
	};
	const deliver = async (status: number, answer?: object, path = '', secret = 's') => {
		const receiver = await startReceiver(status, answer);
		const address = { url: `${receiver.url}${path}`, ...(secret && { secret }) };
		sandbox.webhooks.set([address]);
		await sandbox.webhooks.send('member.joined', {});
		await receiver.close();
		const { deliveries, newest } = await view();
		expect(newest.deliveries).toEqual(deliveries.rows);
		return { ...deliveries.rows[0], host: new URL(receiver.url).host };
	};

	it.each<[number, object | undefined, string, string, boolean]>([
		[200, { message: 'Event accepted' }, '', 'was answered 200.', true],
		[204, undefined, '', 'was answered 204.', true],
		[
			200,
			{ message: 'Event not selected' },
			'',
			"was answered 200: not selected in the trigger's Events.",
			false,
		],
		[401, undefined, '', 'was answered 401. Check the webhook secret.', false],
		[
			404,
			NOT_REGISTERED,
			'',
			'was answered 404. The workflow is not active, or this is not its address.',
			false,
		],
		[
			404,
			NOT_REGISTERED,
			`/webhook-test/${UUID}/webhook`,
			'was answered 404. This is the test URL, which listens once after Execute step is pressed: enter the production URL.',
			false,
		],
		[200, undefined, '/webhook-test/x', 'was answered 200.', true],
		[503, [], '', 'was answered 503.', false],
	])('is said with what to do: %d %j %s', async (status, answer, path, outcome, isAccepted) => {
		expect(await deliver(status, answer, path)).toMatchObject({ outcome, isAccepted });
	});

	it('says so when there was no secret, or no answer', async () => {
		expect((await deliver(401, undefined, '', '')).outcome).toBe(
			'was answered 401. It has no webhook secret.',
		);
		sandbox.webhooks.set([{ url: 'http://127.0.0.1:1/' }]);
		await sandbox.webhooks.send('member.joined', {});
		const [row] = (await view()).deliveries.rows;
		expect(row).toMatchObject({ isAccepted: false, outcome: `was not answered: ${row.answer}.` });
		expect(row.answer).toMatch(/^\S/);
	});

	it('names the address without what is long or secret in it', async () => {
		const path = `/webhook/${UUID}/webhook?secret=hidden`;
		const { host, place } = await deliver(200, undefined, path);
		expect(place).toBe(`${host}/hook/webhook/97780059…/webhook`);
	});

	it("has all of n8n's hint", async () => {
		const { answer } = await deliver(404, NOT_REGISTERED);
		expect(JSON.parse(answer)).toEqual(NOT_REGISTERED);
		const { answer: longest } = await deliver(500, { message: 'x'.repeat(5_000) });
		expect(longest).toHaveLength(800);
	});

	it("leaves out where in n8n's own code it was said", async () => {
		const answer = {
			...NOT_REGISTERED,
			stacktrace: 'ResponseError: not registered\n    at x.js:1',
		};
		expect(JSON.parse((await deliver(404, answer)).answer)).toEqual(NOT_REGISTERED);
	});

	it('is there to be told of more than are shown', async () => {
		sandbox.webhooks.set(Array(15).fill({ url: 'http://127.0.0.1:1/' }));
		await sandbox.webhooks.send('member.joined', {});
		const { deliveries, newest } = await view();
		expect([deliveries.rows.length, newest.deliveries.length]).toEqual([10, 15]);
	});
});
