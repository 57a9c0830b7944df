import { ConcurrencyLimit } from '../../nodes/shared/limiter/concurrencyLimit';

const MAX = 200;

/** Sends and answers as many requests as the limit allows, all of them after as long. */
class Client {
	readonly concurrency = new ConcurrencyLimit();
	now = 0;

	constructor(private readonly max = MAX) {}

	get size(): number {
		return this.concurrency.limit;
	}

	round(ms: number | ((index: number) => number), kind = 'any', isDelayed = false): void {
		const inFlight = Math.min(this.size, this.max);
		const departures = Array.from({ length: inFlight }, (_, index) =>
			this.concurrency.send(kind, this.now, index + 1, isDelayed),
		);
		const took = typeof ms === 'number' ? () => ms : ms;
		const startedAt = this.now;
		for (const [index, departure] of departures.entries()) {
			this.now = startedAt + took(index);
			// Other requests have taken the permits that were released.
			this.concurrency.update(departure, this.now, Math.min(this.size, this.max), this.max);
		}
	}

	rounds(count: number, ms: number | ((index: number) => number), kind?: string): void {
		for (let round = 0; round < count; round++) this.round(ms, kind);
	}
}

function answer(concurrency: ConcurrencyLimit, inFlight: number, max: number): void {
	concurrency.update(concurrency.send('any', 0, inFlight), 20, inFlight, max);
}

it('grows only while it is reached', () => {
	const concurrency = new ConcurrencyLimit();
	answer(concurrency, 9, 20);
	expect(concurrency.limit).toBe(10);
	answer(concurrency, 10, 20);
	expect(concurrency.limit).toBe(11);
});

it('keeps half of what was in flight when refused, at least 1', () => {
	const concurrency = new ConcurrencyLimit();
	concurrency.drop(4);
	expect(concurrency.limit).toBe(2);
	concurrency.drop(1);
	expect(concurrency.limit).toBe(1);
});

it('leaves the place of what was refused empty until something is accepted, but only before it is dropped', () => {
	const concurrency = new ConcurrencyLimit();
	for (let refused = 1; refused <= 3; refused++) concurrency.refuse();
	expect(concurrency.limit).toBe(7);
	answer(concurrency, 7, 20);
	expect(concurrency.limit).toBe(8);
	for (let refused = 1; refused <= 20; refused++) concurrency.refuse();
	expect(concurrency.limit).toBe(1);
	concurrency.drop(1);
	answer(concurrency, 1, 20);
	expect(concurrency.limit).toBe(2);
	concurrency.refuse();
	expect(concurrency.limit).toBe(2);
});

it('after a refusal adds about one with each round trip, however fast the answers are', () => {
	const client = new Client();
	client.rounds(2, 20);
	client.concurrency.drop(40);
	expect(client.size).toBe(20);
	client.rounds(10, 20);
	expect(client.size).toBeGreaterThanOrEqual(28);
	expect(client.size).toBeLessThanOrEqual(30);
});

it('doubles with each round trip up to the maximum while answers are as fast as the first', () => {
	const client = new Client();
	while (client.size < MAX) {
		const { size } = client;
		client.round(20);
		expect(client.size).toBe(Math.min(2 * size, MAX));
	}
});

it('is lowered while answers take more than 1.7 times as long as the fastest', () => {
	const client = new Client(20);
	client.rounds(4, 20);
	expect(client.size).toBe(20);
	client.rounds(4, 30);
	expect(client.size).toBe(20);
	client.rounds(2, 100);
	expect(client.size).toBeLessThan(20);
});

it('is not lowered because a tenth of the answers in a round are slow', () => {
	const client = new Client();
	client.rounds(20, (index) => (index % 10 === 9 ? 900 : 20));
	expect(client.size).toBe(MAX);
});

it('is not lowered for one answer that was much faster than all others', () => {
	const client = new Client(50);
	client.rounds(6, 40);
	client.round((index) => (index === 0 ? 1 : 40));
	client.rounds(2, 40);
	expect(client.size).toBe(50);
});

it('does not compare requests of one kind with those of another', () => {
	const client = new Client(50);
	client.rounds(4, 20, 'fast');
	client.rounds(10, 2_000, 'slow');
	expect(client.size).toBe(50);
});

it('is not lowered for a delay that requests met before they were sent', () => {
	const client = new Client(50);
	client.rounds(4, 20);
	client.round(500, 'any', true);
	client.rounds(2, 20);
	expect(client.size).toBe(50);
});

it('grows again once the API has become slower without load, which is measured with few in flight', () => {
	const client = new Client(50);
	client.rounds(4, 20);
	const sizes = [];
	for (let round = 0; round < 80; round++) {
		sizes.push(client.size);
		client.round(150);
	}
	expect(Math.min(...sizes)).toBeLessThan(10);
	expect(client.size).toBe(50);
});

it('allows one more each time that nothing was sent or answered for long', () => {
	const client = new Client(20);
	expect(client.concurrency.relax(1_000_000)).toBe(false);
	client.rounds(4, 20);
	const patienceMs = client.concurrency.relaxesAt - client.now;
	expect(patienceMs).toBeGreaterThanOrEqual(5_000);
	client.rounds(3, 200);
	const { size } = client;
	const { relaxesAt } = client.concurrency;
	expect(relaxesAt - client.now).toBeGreaterThan(patienceMs);
	expect(client.concurrency.relax(relaxesAt - 1)).toBe(false);
	expect(client.concurrency.relax(relaxesAt)).toBe(true);
	expect(client.concurrency.relax(relaxesAt)).toBe(false);
	expect(client.size).toBe(size + 1);
	client.concurrency.send('any', relaxesAt + 5, 1);
	expect(client.concurrency.relaxesAt).toBe(relaxesAt + 5 + relaxesAt - client.now);
});

it('is restored although the requests of a measurement are never answered', () => {
	const client = new Client(50);
	client.rounds(4, 20);
	let before = client.size;
	// Until there are fewer than are worked on.
	while (client.size > 1) {
		before = client.size;
		client.round(150);
	}
	expect(client.concurrency.relax(client.concurrency.relaxesAt)).toBe(true);
	expect(client.size).toBeGreaterThanOrEqual(2);
	expect(client.size).toBeLessThanOrEqual(before);
});

it('is lowered also where it is above what any run wants', () => {
	const client = new Client(5);
	client.rounds(4, 20);
	expect(client.size).toBe(10);
	client.rounds(8, 100);
	expect(client.size).toBe(2);
});
