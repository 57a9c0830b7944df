import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import type { Field } from '../../nodes/CommunityPlatform/operation/field.ts';
import type { Operation, Resource } from '../../nodes/CommunityPlatform/operation/operation.ts';
import { fieldsOf, showFor } from '../../nodes/CommunityPlatform/resources/index.ts';
import { onBatchRoad, onToolRoad } from '../../nodes/CommunityPlatform/send/roads.ts';
import { tasksOf } from '../../nodes/CommunityPlatform/send/tasks.ts';

/** A field that only some versions of the node have, as CONTRIBUTING says. */
export function since(versions: number[], field: Field): Field {
	const { show } = field.displayOptions ?? {};
	return { ...field, displayOptions: { show: { ...show, '@version': versions } } };
}

/**
 * The action node as it would be with its version raised to 2, and one operation with other fields: put
 * together as `description.ts` does it.
 */
export function raisedNode({ value, operations }: Resource, operation: Operation): INodeType {
	const node = new CommunityPlatform();
	const tasks = tasksOf(operation, fieldsOf(operation));
	const { properties } = node.description;
	const others = properties
		.filter((each) => !isFieldOf(value, each))
		.map((each) => withPagination(each, value, operation.value, onToolRoad(tasks)));
	const own = showFor(
		value,
		operations.map((each) => (each.value === operation.value ? operation : each)),
	);
	node.description.version = [1, 2];
	node.description.properties = [...others, ...own];
	const { customOperations } = node;
	node.customOperations = {
		...customOperations,
		[value]: { ...customOperations[value], [operation.value]: onBatchRoad(tasks) },
	};
	return node;
}

function isFieldOf(resource: string, { name, displayOptions }: INodeProperties): boolean {
	const shownFor = displayOptions?.show?.resource ?? [];
	return (
		name !== 'operation' && shownFor.length === 1 && shownFor[0] === resource && name !== 'fields'
	);
}

function withPagination(
	property: INodeProperties,
	resource: string,
	operation: string,
	pagination: ReturnType<typeof onToolRoad>,
): INodeProperties {
	const isSelector = property.name === 'operation';
	if (!isSelector || property.displayOptions?.show?.resource?.[0] !== resource) return property;
	const options = (property.options as INodePropertyOptions[]).map((option) =>
		option.value === operation
			? { ...option, routing: { ...option.routing, operations: { pagination } } }
			: option,
	);
	return { ...property, options };
}
