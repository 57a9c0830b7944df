import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { API_PATH } from '../shared/transport';
import type { Operation, Resource } from './actions/operation';
import { resources } from './actions';
import { sharedFieldsOf } from './actions/common';
import { requestOptions } from './requestOptions';
import type { Field } from './actions/field';
import { withToolVariant } from './tool/parameters';

// What an update changes comes directly below the record.
const isCollection = ({ name, type }: INodeProperties) =>
	type === 'collection' && name !== 'updateFields';
// n8n's guidelines put it last.
const isSort = ({ name }: INodeProperties) => name === 'sort';
const isOption = ({ name }: INodeProperties) => name === 'options';

const resourceSelector: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources.map(({ name, value, description }) => ({ name, value, description })),
	default: 'user',
};

function operationSelector({ value, operations, initial }: Resource): INodeProperties {
	const { value: first } = initial;
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
			...(operation.builderHint && { builderHint: { propertyHint: operation.builderHint } }),
			routing: { request: { ...operation.request, url: `${API_PATH}${operation.request.url}` } },
		})),
		default: first,
	};
}

/** The labels of all resources and operations, by their values. No resource has the value of an operation. */
export const labels: Record<string, string> = Object.fromEntries(
	resources.flatMap((each) => [each, ...each.operations]).map(({ value, name }) => [value, name]),
);

/** The node's parameters: resource and operation, then those of each operation, and n8n's request options. */
export const properties: INodeProperties[] = [
	resourceSelector,
	...resources.map(operationSelector),
	...resources.flatMap(parametersOf),
	requestOptions,
];

/**
 * Returns the parameters of all operations of a resource, in the order of each. Those that are the same become one,
 * because n8n loads them all with each node.
 */
function parametersOf({ value, operations }: Resource): INodeProperties[] {
	const merged: Array<{ field: Field; operations: string[]; key: string }> = [];
	for (const operation of operations) {
		let at = 0;
		for (const field of propertiesOf(operation)) {
			const key = JSON.stringify(field);
			const same = merged.findIndex((each, index) => index >= at && each.key === key);
			if (same < 0) merged.splice(at, 0, { field, operations: [operation.value], key });
			else merged[same].operations.push(operation.value);
			at = Math.max(at, same) + 1;
		}
	}
	return merged
		.map((each) => displayedFor(each.field, { resource: [value], operation: each.operations }))
		.flatMap(withToolVariant);
}

/** Returns the parameters of an operation in the order of the editor: required ones, collections, 'Sort'. */
function propertiesOf(operation: Operation): Field[] {
	const shared = sharedFieldsOf(operation);
	return [
		...operation.fields.filter((field) => !isCollection(field)),
		...shared.filter((field) => !isOption(field)),
		...operation.fields.filter((field) => isCollection(field) && !isSort(field)),
		...shared.filter(isOption),
		...operation.fields.filter(isSort),
	];
}

function displayedFor(field: Field, show: NonNullable<IDisplayOptions['show']>): INodeProperties {
	const own: IDisplayOptions = field.displayOptions ?? {};
	return { ...field, displayOptions: { ...own, show: { ...show, ...own.show } } };
}
