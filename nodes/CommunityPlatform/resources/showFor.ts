import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * Stamps the visibility on an operation's parameters, so that the fields themselves never repeat it.
 *
 * @param resource the resource's value
 * @param operation the operation's value
 * @param fields the parameters, with conditions of their own where they depend on each other
 */
export function showFor(
	resource: string,
	operation: string,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map((field) => {
		const own: IDisplayOptions = field.displayOptions ?? {};
		const show = { resource: [resource], operation: [operation], ...own.show };
		return { ...field, displayOptions: { ...own, show } };
	});
}
