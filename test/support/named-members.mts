import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.mts';
import { asNewcomer } from './community.mts';
import { runNode, type RunOptions } from './engine.mts';
import { getNamed } from './operations.mts';

/** Reads each item's member by name. A refusal by the sandbox is not retried. */
export const getOnce = (mode: string): INodeParameters => getNamed(mode, { maxRetries: 0 });

/** Creates a key for each test, and runs operations for names with it, each as the next event of a workflow. */
export function useNames(sandbox: Sandbox) {
	let caller = {};
	beforeEach(() => {
		caller = asNewcomer();
	});
	const run = async (parameters: INodeParameters, names: unknown[], more: RunOptions = {}) => {
		sandbox.requests.clear();
		const items = names.map((name) => ({ name: String(name) }));
		const { items: given, error } = await runNode(sandbox, parameters, {
			items,
			...more,
			...caller,
		});
		if (error) return [error.message];
		return given.map(({ json }) => json.msid ?? json.error);
	};
	return { run, caller: () => caller };
}
