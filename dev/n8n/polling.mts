import type { INode } from 'n8n-workflow';

/**
 * n8n refuses to poll more than once a minute when a schedule has six fields; this name for such a
 * schedule it lets pass, so that a test, or a demo, need not take minutes.
 */
export const EVERY_SECOND = '@secondly';

/**
 * Sets how often a polling trigger asks.
 *
 * @param cronExpression e.g. {@link EVERY_SECOND}
 * @returns changes such a node, and leaves others as they are
 */
export function polling(cronExpression: string): (node: INode) => INode {
	return (node) => {
		if (!node.type.endsWith('PollingTrigger')) return node;
		const pollTimes = { item: [{ mode: 'custom', cronExpression }] };
		return { ...node, parameters: { ...node.parameters, pollTimes } };
	};
}
