import { WorkflowExecute } from 'n8n-core';

// Set by `npm run test:versions` to where an older n8n-core lies; without it, the newest one is under test.
const isNewest = process.env.N8N_ENGINE_FOLDER === undefined;

/**
 * Lets the tests call every n8n-core like the newest one: up to n8n 1, `run` takes positional arguments instead of an
 * object.
 */
export function speakToEveryGeneration(): void {
	const { prototype } = WorkflowExecute;
	const { run } = prototype;
	if (run.length === 1) return;
	const oneByOne = run as unknown as (...args: unknown[]) => ReturnType<typeof run>;
	prototype.run = function ({ workflow, startNode }) {
		return oneByOne.call(this, workflow, startNode);
	};
}

/** Whether the engine takes an item with `details` for a failed one: n8n-core 2.35.2 and newer (docs/decisions.md, E21). */
export const hasDetailsInErrorOutput = isNewest;

/**
 * The text where a rule of the credential's test matches. Up to n8n 2.33 none ever does, because n8n drops what the
 * rules look at (`NodeApiError.cause`), and shows a text of its own (docs/decisions.md, E28).
 */
export function ofRule(message: unknown): unknown {
	return isNewest ? message : expect.any(String);
}

/**
 * For tests of "Allowed HTTP Request Domains" as it is today, a setting for other nodes only. Around
 * n8n 2.20 the routing engine, which runs tools and the credential's test, refuses them before anything of
 * this package runs.
 */
export function itWithDomainsForOthers(name: string, run: () => Promise<void>): void {
	(isNewest ? it : it.skip)(name, run);
}

/** For tests of n8n's own guard of the network that it is in (`N8N_SSRF_PROTECTION_ENABLED`). */
export function describeGuard(name: string, tests: () => void): void {
	(isNewest ? describe : describe.skip)(name, tests);
}
