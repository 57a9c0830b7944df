import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { Field } from '../operation/field';
import type { Operation, Resource } from '../operation/operation';
import { fieldsOf } from './common';

/**
 * The parameters of a resource's operations, each once, with `displayOptions` for the operations that have it, which
 * fields themselves leave out.
 *
 * @param resource the resource's value
 */
export function showFor(resource: string, operations: Operation[]): INodeProperties[] {
	const usedBy = new Map<Field, string[]>();
	for (const { value, fields } of operations) {
		for (const field of fields) usedBy.set(field, [...(usedBy.get(field) ?? []), value]);
	}
	return [...usedBy].map(([field, operation]) => shown(field, { resource: [resource], operation }));
}

/**
 * A parameter that operations of several resources share, shown for all that have it: described once, or once
 * for each resource where no one condition on resource and operation says just that.
 */
export function showForAll(resources: Resource[], field: Field): INodeProperties[] {
	const having = (operation: Operation) => fieldsOf(operation).includes(field);
	const users = resources.filter(({ operations }) => operations.some(having));
	const names = users.flatMap(({ operations }) => operations.filter(having)).map(nameOf);
	const operation = [...new Set(names)].sort();
	const isExact = users
		.flatMap(({ operations }) => operations)
		.every((one) => having(one) || !operation.includes(one.value));
	if (isExact) return [shown(field, { resource: users.map(nameOf), operation })];
	return users.flatMap((resource) => showForAll([resource], field));
}

function nameOf({ value }: { value: string }): string {
	return value;
}

function shown(field: Field, show: NonNullable<IDisplayOptions['show']>): INodeProperties {
	const own: IDisplayOptions = field.displayOptions ?? {};
	return { ...field, displayOptions: { ...own, show: { ...show, ...own.show } } };
}
