import { until } from '../../dev/tools/wait.mts';
import { useSandbox } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { deliver, joined, RIGHT, useHosts } from './trigger-hosts.mts';

const WRONG = { 'x-webhook-secret': 'wrong' };
const SECONDS = 1_000;

const sandbox = useSandbox({ members: 1 });
const { listening } = useHosts(sandbox);

/** A host whose credential can be changed, with a clock that stands still unless it is set. */
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
	/** Makes reading wait, until the function that is returned is called. */
	const close = () => {
		let open = () => {};
		reading.gate = new Promise<void>((resolve) => (open = resolve));
		return open;
	};
	return { host, credential, clock, reading, statusOf, close };
}

afterEach(() => jest.mocked(performance.now).mockRestore());

describe('a flood of deliveries', () => {
	it('without a secret is refused before the credential is read', async () => {
		const { reading, statusOf } = await hostWithCredential();
		const sent = Array.from({ length: 500 }, async (_, index) =>
			statusOf([{}, { 'x-webhook-secret': ' ' }, { authorization: 'Basic x' }][index % 3]),
		);
		expect(new Set(await Promise.all(sent))).toEqual(new Set([401]));
		expect(reading.times).toBe(0);
	});

	it('has the credential read once, and each is answered by its own secret', async () => {
		const { host, reading, statusOf, close } = await hostWithCredential();
		const open = close();
		const first = Array.from({ length: 10 }, async (_, index) =>
			statusOf(index === 0 ? RIGHT : WRONG),
		);
		await until('all to arrive', async () => host.received === first.length, 10_000, 1);
		open();
		const later = Array.from({ length: 490 }, async (_, index) =>
			statusOf(index % 50 === 0 ? RIGHT : WRONG),
		);
		const statuses = await Promise.all([...first, ...later]);
		expect(statuses.filter((status) => status === 200)).toHaveLength(1 + 10);
		expect(statuses.filter((status) => status === 401)).toHaveLength(9 + 480);
		expect(reading.times).toBe(1);
	});

	it('does not wait while the credential is read again', async () => {
		const { credential, clock, reading, statusOf, close } = await hostWithCredential();
		expect(await statusOf(RIGHT)).toBe(200);
		credential.webhookSecret = 'changed';
		const open = close();
		clock.now += 2 * SECONDS;
		expect([await statusOf(RIGHT), await statusOf(WRONG)]).toEqual([200, 401]);
		clock.now += 27 * SECONDS;
		expect([await statusOf(RIGHT), await statusOf(WRONG)]).toEqual([200, 401]);
		expect(reading.times).toBe(2);
		open();
		await until('the change to count', async () => (await statusOf(RIGHT)) === 401, 10_000, 1);
		expect(await statusOf({ 'x-webhook-secret': 'changed' })).toBe(200);
		expect(reading.times).toBe(2);
	});

	it('goes by a secret for half a minute at most, if reading it again takes longer', async () => {
		const { host, clock, credential, statusOf, close } = await hostWithCredential();
		expect(await statusOf(RIGHT)).toBe(200);
		credential.webhookSecret = 'changed';
		const open = close();
		clock.now += 4 * SECONDS;
		expect(await statusOf(RIGHT)).toBe(200);
		clock.now += 26 * SECONDS;
		const waiting = statusOf(RIGHT);
		await until('it to arrive', async () => host.received === 3, 10_000, 1);
		open();
		expect(await waiting).toBe(401);
	});
});

describe('a changed secret', () => {
	it('counts after five seconds', async () => {
		const { credential, clock, statusOf } = await hostWithCredential();
		expect(await statusOf(RIGHT)).toBe(200);
		credential.webhookSecret = 'changed';
		clock.now += 1.9 * SECONDS;
		expect(await statusOf(RIGHT)).toBe(200);
		clock.now += 3.1 * SECONDS;
		expect(await statusOf(RIGHT)).toBe(401);
		expect(await statusOf({ 'x-webhook-secret': 'changed' })).toBe(200);
	});
});

describe('a credential that cannot be read', () => {
	it('is asked for once more, so that no delivery is refused for it', async () => {
		const { reading, statusOf } = await hostWithCredential();
		reading.failures = 1;
		expect(await statusOf(RIGHT)).toBe(200);
		expect(reading.times).toBe(2);
	});

	it('is asked for again by the next delivery, which goes by what was read for five seconds', async () => {
		const { clock, reading, statusOf } = await hostWithCredential();
		expect(await statusOf(RIGHT)).toBe(200);
		reading.failures = Infinity;
		clock.now += 2 * SECONDS;
		expect(await statusOf(RIGHT)).toBe(200);
		clock.now += 2.9 * SECONDS;
		expect(await statusOf(RIGHT)).toBe(200);
		clock.now += 0.1 * SECONDS;
		expect(await statusOf(RIGHT)).toBe(503);
		expect(logged.join('\n')).toContain('the database is busy');
		reading.failures = 0;
		expect(await statusOf(RIGHT)).toBe(200);
	});
});
