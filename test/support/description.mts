import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { displayParameter } from 'n8n-workflow';

/** An operation in the node's description. */
export interface DescribedOperation {
	/** Resource and operation, e.g. `board.create`. */
	key: `${string}.${string}`;
	resource: string;
	/** The entry of the dropdown, with its routing. */
	option: INodePropertyOptions;
}

/** Every operation of a node, by the properties of its description. */
export function operationsOf(properties: INodeProperties[]): DescribedOperation[] {
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			((displayOptions?.show?.resource ?? []) as string[]).flatMap((resource) =>
				(options as INodePropertyOptions[]).map((option) => ({
					key: `${resource}.${String(option.value)}` as const,
					resource,
					option,
				})),
			),
		);
}

/**
 * The parameters that the editor shows for an operation, by n8n's own function. A parameter that depends on another one
 * is included if any value of that one shows it.
 *
 * @param properties of the node's description
 * @param key resource and operation, e.g. `board.create`
 * @param variant the node itself, or the tool that n8n makes of it, which has its own type name
 */
export function parametersOf(
	properties: INodeProperties[],
	key: string,
	variant: 'node' | 'tool' = 'node',
): INodeProperties[] {
	const [resource, operation] = key.split('.');
	const name = variant === 'tool' ? 'communityPlatformTool' : 'communityPlatform';
	const settings = [
		{},
		{ orderInput: 'list', membersInput: 'list', keepOtherFields: true, returnAll: false },
		{ orderInput: 'json', membersInput: 'text' },
		{ output: 'selectedFields' },
	];
	const isShown = (property: INodeProperties) =>
		!['resource', 'operation'].includes(property.name) &&
		settings.some((setting) =>
			// n8n 1.123 fails if a parameter that has a condition on its beginning is undefined.
			displayParameter({ resource, operation, refType: '', ...setting }, property, null, {
				name,
			} as INodeTypeDescription),
		);
	return properties.filter(isShown).map((property) => {
		if (property.type !== 'collection') return property;
		return { ...property, options: (property.options as INodeProperties[]).filter(isShown) };
	});
}

/** Every parameter, including those inside collections. */
export function everyField(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => {
		if (field.type === 'collection') {
			return [field, ...everyField(field.options as INodeProperties[])];
		}
		if (field.type === 'fixedCollection') {
			const inner = (field.options as INodePropertyCollection[]).flatMap(({ values }) => values);
			return [field, ...everyField(inner)];
		}
		return [field];
	});
}
