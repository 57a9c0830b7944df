import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.mts';
import { runNode, type RunOptions, type RunResult } from './engine.mts';

/** Runs the action node with an option turned on, e.g. `dryRun`; returns the JSON of the items. */
export async function runWithOption(
	sandbox: Sandbox,
	option: string,
	{ options = {}, ...parameters }: INodeParameters,
	runOptions: RunOptions = {},
): Promise<Omit<RunResult, 'items'> & { items: IDataObject[] }> {
	const others = options as INodeParameters;
	const result = await runNode(
		sandbox,
		{ ...parameters, options: { ...others, [option]: true } },
		runOptions,
	);
	return { ...result, items: result.items.map(({ json }) => json) };
}
