import { until } from '../../dev/tools/wait.mts';
import { useSandbox } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { deliver, joined, RIGHT, useHosts } from '../support/trigger-hosts.mts';

const WRONG = { 'x-webhook-secret': 'wrong' };
const CHANGED = { 'x-webhook-secret': 'changed' };
const SECONDS = 1_000;

const sandbox = useSandbox({ members: 1 });
const { listening } = useHosts(sandbox);

/** A host with a changeable credential, and a clock that is stopped unless set. */
async function hostWithCredential() {
	const credential = { webhookSecret: 'right' };
	// Whole milliseconds, so that sums are exact.
	const clock = { now: Math.round(performance.now()) };
	jest.spyOn(performance, 'now').mockImplementation(() => clock.now);
	const reading = { times: 0, failures: 0, gate: Promise.resolve() };
	const host = await listening({
		credential,
		async onCredentialRead() {
			reading.times++;
			await reading.gate;
			if (reading.failures-- > 0) throw new TypeError('the database is busy');
		},
	});
	const statusOf = async (headers: Record<string, string>) =>
		(await deliver(host, joined(1), headers)).status;
	/** Delays reads until the returned function is called. */
	const close = () => {
		let open = () => {};
		reading.gate = new Promise<void>((resolve) => (open = resolve));
		return open;
	};
	return { host, credential, clock, reading, statusOf, close };
}

afterEach(() => jest.mocked(performance.now).mockRestore());

describe('Flood of deliveries', () => {
	it('refuses deliveries without a secret before the credential is read', async () => {
		const { reading, statusOf } = await hostWithCredential();
		expect(await statusOf({})).toBe(401);
		expect(await statusOf({ 'x-webhook-secret': ' ', authorization: 'Basic x' })).toBe(401);
		expect(reading.times).toBe(0);
	});

	it('reads the credential once for many deliveries, and checks each by its own secret', async () => {
		const { host, reading, statusOf, close } = await hostWithCredential();
		const open = close();
		const sent = Array.from({ length: 50 }, async (_, at) => statusOf(at % 5 ? WRONG : RIGHT));
		await until('all to arrive', async () => host.received === sent.length, 10_000, 1);
		open();
		const statuses = await Promise.all([...sent, statusOf(RIGHT)]);
		expect(statuses.filter((status) => status === 200)).toHaveLength(11);
		expect(statuses.filter((status) => status === 401)).toHaveLength(40);
		expect(reading.times).toBe(1);
	});
});

describe('Changed webhook secret', () => {
	it('applies a changed secret after it is read, which starts after two seconds and delays no delivery', async () => {
		const { credential, clock, reading, statusOf, close } = await hostWithCredential();
		expect(await statusOf(RIGHT)).toBe(200);
		credential.webhookSecret = 'changed';
		const open = close();
		clock.now += 2 * SECONDS - 1;
		expect(await statusOf(RIGHT)).toBe(200);
		expect(reading.times).toBe(1);
		clock.now += 28 * SECONDS;
		expect([await statusOf(RIGHT), await statusOf(WRONG)]).toEqual([200, 401]);
		expect(reading.times).toBe(2);
		open();
		await until('the change to count', async () => (await statusOf(RIGHT)) === 401, 10_000, 1);
		expect(await statusOf(CHANGED)).toBe(200);
		expect(reading.times).toBe(2);
	});

	it('applies a changed secret after half a minute in any case', async () => {
		const { credential, clock, statusOf } = await hostWithCredential();
		expect(await statusOf(RIGHT)).toBe(200);
		credential.webhookSecret = 'changed';
		clock.now += 30 * SECONDS;
		expect([await statusOf(RIGHT), await statusOf(CHANGED)]).toEqual([401, 200]);
	});
});

it('applies the secret of another credential as soon as it is chosen', async () => {
	const { host, credential, statusOf } = await hostWithCredential();
	expect(await statusOf(RIGHT)).toBe(200);
	credential.webhookSecret = 'changed';
	host.chooseCredential('2');
	expect([await statusOf(CHANGED), await statusOf(RIGHT)]).toEqual([200, 401]);
});

describe('Unreadable webhook credential', () => {
	it('reads the credential a second time, so that no delivery is refused for it', async () => {
		const { reading, statusOf } = await hostWithCredential();
		reading.failures = 1;
		expect(await statusOf(RIGHT)).toBe(200);
		expect(reading.times).toBe(2);
	});

	it('applies the last secret for half a minute if the credential cannot be read', async () => {
		const { clock, reading, statusOf } = await hostWithCredential();
		expect(await statusOf(RIGHT)).toBe(200);
		reading.failures = Infinity;
		clock.now += 30 * SECONDS - 1;
		expect([await statusOf(RIGHT), await statusOf(RIGHT)]).toEqual([200, 200]);
		clock.now += 1;
		expect(await statusOf(RIGHT)).toBe(503);
		expect(logged.join('\n')).toContain('the database is busy');
		reading.failures = 0;
		expect(await statusOf(RIGHT)).toBe(200);
	});
});
