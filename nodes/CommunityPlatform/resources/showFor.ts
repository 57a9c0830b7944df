import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * Stamps the visibility on the parameters of a resource, so that the fields themselves never repeat
 * it. A field that several operations use stands once: n8n evaluates the parameters of every property
 * for every item, twice, so each repetition would cost time on long runs.
 *
 * @param resource the resource's value
 * @param operations for each operation's value: its parameters, with conditions of their own where
 * they depend on each other
 */
export function showFor(
	resource: string,
	operations: Record<string, INodeProperties[]>,
): INodeProperties[] {
	const usedBy = new Map<INodeProperties, string[]>();
	for (const [operation, fields] of Object.entries(operations)) {
		for (const field of fields) usedBy.set(field, [...(usedBy.get(field) ?? []), operation]);
	}
	return [...usedBy].map(([field, operation]) => {
		const own: IDisplayOptions = field.displayOptions ?? {};
		return {
			...field,
			displayOptions: { ...own, show: { resource: [resource], operation, ...own.show } },
		};
	});
}
