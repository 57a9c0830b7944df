import { WorkflowExecute } from 'n8n-core';

// The folder of an older n8n-core, set by `npm run test:versions`. If unset, the newest one is tested.
const isNewest = process.env.N8N_ENGINE_FOLDER === undefined;

/** Calls every n8n-core like the newest one. Up to n8n 1, `run` has positional arguments instead of an object. */
export function speakToEveryGeneration(): void {
	const { prototype } = WorkflowExecute;
	const { run } = prototype;
	if (run.length === 1) return;
	const oneByOne = run as unknown as (...args: unknown[]) => ReturnType<typeof run>;
	prototype.run = function ({ workflow, startNode }) {
		return oneByOne.call(this, workflow, startNode);
	};
}

/**
 * Whether the engine treats an item with `details` as failed, like n8n-core 2.35.2 and newer (docs/decisions.md, E21).
 */
export const hasDetailsInErrorOutput = isNewest;

/**
 * The text if a rule of the credential's test matches. Up to n8n 2.33 no rule matches, because n8n drops the data for
 * the rules (`NodeApiError.cause`), and shows its own text (docs/decisions.md, E28).
 */
export function ofRule(message: unknown): unknown {
	return isNewest ? message : expect.any(String);
}

/**
 * For tests of "Allowed HTTP Request Domains", which today applies to other nodes only. Around n8n 2.20, the routing
 * engine, which runs tools and the credential's test, refuses such domains before it runs this package.
 */
export function itWithDomainsForOthers(name: string, run: () => Promise<void>): void {
	(isNewest ? it : it.skip)(name, run);
}

/** For tests of n8n's guard of its internal network (`N8N_SSRF_PROTECTION_ENABLED`). */
export function describeGuard(name: string, tests: () => void): void {
	(isNewest ? describe : describe.skip)(name, tests);
}
