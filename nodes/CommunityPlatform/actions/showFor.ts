import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { Field } from '../input/field';
import type { Operation, Resource } from './operation';
import { fieldsOf } from './common';

/**
 * The parameters of a resource's operations, with display options for the operations that have them; the fields
 * themselves have none. A parameter is described once, and again for operations that have it at another position, so
 * that every operation shows its parameters in its own order.
 *
 * @param resource the resource's value
 */
export function showFor(resource: string, operations: Operation[]): INodeProperties[] {
	const described: Array<{ field: Field; operation: string[] }> = [];
	for (const { value, fields } of operations) {
		let after = -1;
		for (const field of fields) {
			const known = described.findIndex((each, at) => at > after && each.field === field);
			after = known < 0 ? described.push({ field, operation: [] }) - 1 : known;
			described[after].operation.push(value);
		}
	}
	return described.map(({ field, operation }) => shown(field, { resource: [resource], operation }));
}

/**
 * A parameter shared by operations of several resources, with display options for all of them: described once, or once
 * for each resource if a single condition on resource and operation cannot express that.
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
