import { schemaCheck } from '../../sandbox/openapi.mts';
import { useBareSandbox } from '../support/community.mts';
import { call, startReceiver } from './support.mts';

const sandbox = useBareSandbox();
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeEach(async () => {
	receiver = await startReceiver();
});
afterEach(() => receiver.close());

const isEvent = schemaCheck('WebhookEvent');

it('sends an event about a member who was created through the API', async () => {
	sandbox.webhooks.set([{ url: receiver.url }]);
	const body = { first_name: 'Ida', email: 'ida@members.example' };
	const { data: user } = await call(sandbox, 'POST', '/api/v1/users', { body });
	await sandbox.webhooks.settled();
	const [{ body: event }] = receiver.received;
	expect([isEvent(event), isEvent.errors]).toEqual([true, null]);
	expect(event).toMatchObject({
		event: 'member.joined',
		entities: { user: [{ msid: user.msid }] },
	});
	expect(sandbox.webhooks.deliveries).toMatchObject([
		{ number: 1, status: 200, answer: '{"received":1}', payload: event },
	]);
});

it.each(['https://community.example.com/hook', 'http://10.0.0.1/hook', 'no address'])(
	'refuses the address %s',
	(url) => {
		expect(() => sandbox.webhooks.set([{ url }])).toThrow('not an address on this machine');
		expect(sandbox.webhooks.addresses).toEqual([]);
	},
);
