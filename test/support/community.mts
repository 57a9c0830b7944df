import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';

/** A sandbox for the tests of a file, which is restored before each of them. */
export function useBareSandbox(options?: SandboxOptions): Sandbox {
	const sandbox = {} as Sandbox;
	beforeAll(async () => {
		Object.assign(sandbox, await startSandbox(options));
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
	return sandbox;
}

/** The same for tests of the node, whose prefetched pages can still be in flight after a list has ended. */
export function useSandbox(options?: SandboxOptions): Sandbox {
	const sandbox = useBareSandbox(options);
	afterEach(async () => await quiet(sandbox));
	return sandbox;
}

/** A new sandbox for each test of a file, because the node remembers facts about an API by its address. */
export function useSandboxForEach(): Sandbox {
	const sandbox = {} as Sandbox;
	beforeEach(async () => {
		Object.assign(sandbox, await startSandbox());
	});
	afterEach(async () => await sandbox.close());
	return sandbox;
}

/**
 * Sets the random wait before retries to zero, so that tests are fast and deterministic. Call it in a test file,
 * outside of its tests.
 */
export function withoutBackoff(): void {
	beforeEach(() => {
		// Subtracts the minimum wait.
		jest.spyOn(Math, 'random').mockReturnValue(-1);
	});
	afterEach(() => {
		jest.mocked(Math.random).mockRestore();
	});
}

/** The requests to the sandbox, in the order of arrival, e.g. `GET /api/v1/users?page=1&page_size=50`. */
export function asked({ requests }: Sandbox): string[] {
	return requests.all.map(({ method, url }) => `${method} ${url}`);
}

/** The requested page numbers, in ascending order. */
export function pagesAsked({ requests }: Sandbox): number[] {
	return requests.all.map(({ query }) => Number(query.page)).sort((a, b) => a - b);
}

/** A resource locator with an ID, as the editor stores it. */
export function byId(value: unknown) {
	return byMode('id', value);
}

/** A resource locator in one of its modes, e.g. 'email', as the editor stores it. */
export function byMode(mode: string, value: unknown) {
	return { __rl: true, mode, value } as never;
}

/** The numbers from one to another, both included. */
export function range(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

let newcomers = 0;

/** A new caller, because the rate limit and the lists are remembered for each caller. */
export function asNewcomer(): { credential: { sourceSystem: string } } {
	return { credential: { sourceSystem: `newcomer ${++newcomers}` } };
}

/** Waits until no request is in flight. */
export async function quiet({ requests, faults }: Sandbox): Promise<void> {
	// First, because it would wait for hanging requests.
	faults.clear();
	let seen = -1;
	const until = Date.now() + 5000;
	while (Date.now() < until && (requests.inFlight > 0 || seen !== requests.total)) {
		seen = requests.total;
		await sleep(15);
		// On a busy machine, the time can be over before the requests that have arrived are read.
		for (let turn = 0; turn < 5; turn++) await setImmediate();
	}
}
