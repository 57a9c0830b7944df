import type { INodeProperties, INodeType } from 'n8n-workflow';
import { API_PATH } from '../shared/transport';
import type { Operation, Resource } from './actions/operation';
import { resources } from './actions';
import { sharedFieldsOf } from './actions/common';
import { showFor, showShared, withToolVariant } from './actions/display';
import type { Task } from './execute/task';
import { taskOf } from './execute/task';
import { forAllItems, forTool } from './execute/run';

type CustomOperations = NonNullable<INodeType['customOperations']>;

const tasks = new Map<Operation, Task>();
for (const each of resources.flatMap(({ operations }) => operations)) {
	tasks.set(each, taskOf(each, [...each.fields, ...sharedFieldsOf(each)]));
}
const taskFor = (operation: Operation) => tasks.get(operation) as Task;
const ownFields = resources.flatMap(({ value, operations }) => showFor(value, operations));
const shared = showShared(resources);
const isCollection = ({ type }: INodeProperties) => type === 'collection';
// n8n's guidelines want it last.
const isSort = ({ name }: INodeProperties) => name === 'sort';

const resourceSelector: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources.map(({ name, value, description }) => ({ name, value, description })),
	default: 'user',
	// Makes n8n's routing engine, which may run the node as a tool, pass every request to the `pagination` function of the
	// operation.
	routing: { send: { paginate: true } },
};

function operationSelector({
	value,
	operations,
	initial: { value: first },
}: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map((operation) => ({
			name: operation.name,
			value: operation.value,
			action: operation.action,
			description: operation.description,
			builderHint: operation.builderHint,
			routing: {
				request: { ...operation.request, url: `${API_PATH}${operation.request.url}` },
				operations: { pagination: forTool(taskFor(operation)) },
			},
		})),
		default: first,
	};
}

/** The names of all operations, as the canvas shows them. */
export const operationNames: Record<string, string> = Object.fromEntries(
	resources
		.flatMap(({ operations }) => operations)
		.map(({ value, name }) => [value, name.toLowerCase()]),
);

/** The node's parameters: resource and operation, required parameters, optional ones. */
export const properties: INodeProperties[] = [
	resourceSelector,
	...resources.map(operationSelector),
	...ownFields.filter((field) => !isCollection(field)).flatMap(withToolVariant),
	...['returnAll', 'limit', 'simplify', 'output', 'fields'].flatMap(
		(name) => shared.get(name) ?? [],
	),
	...ownFields.filter((field) => isCollection(field) && !isSort(field)).flatMap(withToolVariant),
	...(shared.get('options') ?? []),
	...ownFields.filter(isSort),
];

/**
 * For each operation, the function that n8n calls with all items of a run (n8n-workflow,
 * `INodeType.customOperations`).
 */
export const customOperations: CustomOperations = Object.fromEntries(
	resources.map(({ value, operations }) => [
		value,
		Object.fromEntries(operations.map((each) => [each.value, forAllItems(taskFor(each))])),
	]),
);
