import type { INode } from 'n8n-workflow';

/**
 * A schedule with a name, because n8n refuses to poll more than once a minute if a schedule has six fields. It keeps
 * tests and the demo short.
 */
export const EVERY_SECOND = '@secondly';

/**
 * Sets the schedule of a polling trigger.
 *
 * @param cronExpression e.g. {@link EVERY_SECOND}
 * @returns a function that changes polling triggers and leaves other nodes unchanged
 */
export function polling(cronExpression: string): (node: INode) => INode {
	return (node) => {
		if (!node.type.endsWith('PollingTrigger')) return node;
		const pollTimes = { item: [{ mode: 'custom', cronExpression }] };
		return { ...node, parameters: { ...node.parameters, pollTimes } };
	};
}
