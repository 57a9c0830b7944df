import type { FunctionsBase } from 'n8n-workflow';

/**
 * A line for n8n's log, which all workflows share.
 *
 * @param functions any of n8n's node functions
 * @param text what happened
 * @returns the text after the node and its workflow; names are quoted as in JSON, so that it stays one line
 */
export function logLine(
	functions: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>,
	text: string,
): string {
	const { id, name } = functions.getWorkflow();
	const node = JSON.stringify(functions.getNode().name);
	return `Community Platform: ${node} in workflow ${JSON.stringify(name)} (${id}): ${text}`;
}
