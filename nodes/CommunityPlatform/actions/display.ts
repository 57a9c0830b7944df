import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { sharedFieldsOf } from './common';
import type { Field, Operation, Resource } from './operation';

/**
 * The parameters of a resource's operations, with their display options. A parameter is described once, and again for
 * operations that have it at another position, so that every operation shows its parameters in its own order.
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
 * The parameters that operations of any resource share, by name. Each is described once, or for each resource where one
 * display condition cannot express them all.
 */
export function showShared(resources: Resource[]): Map<string, INodeProperties[]> {
	const having = new Map<string, { field: Field; operations: Set<Operation> }>();
	for (const operation of resources.flatMap(({ operations }) => operations)) {
		for (const field of sharedFieldsOf(operation)) {
			const key = JSON.stringify(field);
			const { operations } = having.get(key) ?? { operations: new Set() };
			having.set(key, { field, operations: operations.add(operation) });
		}
	}
	const described = new Map<string, INodeProperties[]>();
	for (const { field, operations } of having.values()) {
		const before = described.get(field.name) ?? [];
		described.set(field.name, [...before, ...showIn(resources, field, operations)]);
	}
	return described;
}

function showIn(all: Resource[], field: Field, having: Set<Operation>): INodeProperties[] {
	const resources = all.filter(({ operations }) => operations.some((each) => having.has(each)));
	const every = resources.flatMap(({ operations }) => operations);
	const names = new Set(every.filter((each) => having.has(each)).map(({ value }) => value));
	const isExact = every.every((each) => having.has(each) || !names.has(each.value));
	if (!isExact) return resources.flatMap((resource) => showIn([resource], field, having));
	const resource = resources.map(({ value }) => value);
	return [shown(field, { resource, operation: [...names].sort() })];
}

function shown(field: Field, show: NonNullable<IDisplayOptions['show']>): INodeProperties {
	const own: IDisplayOptions = field.displayOptions ?? {};
	return { ...field, displayOptions: { ...own, show: { ...show, ...own.show } } };
}

/**
 * A parameter for the node and, where they differ, for the node as a tool. n8n requires all arguments of a model, in
 * the type of the parameter (docs/decisions.md, E25): no JSON is empty, and no boolean is unset. Text can be left out.
 */
export function withToolVariant(field: INodeProperties): INodeProperties[] {
	const variant = toolVariantOf(field);
	if (variant === field) return [field];
	// `hide`, not `show`: a version of n8n that does not know the condition keeps showing the first one.
	return [on('hide', field), on('show', variant)];
}

function toolVariantOf(field: INodeProperties): INodeProperties {
	if (field.type === 'json') return asText(field, 'Give JSON as text.');
	if (field.type !== 'collection') return field;
	const options = (field.options ?? []) as INodeProperties[];
	// A model is not asked for options.
	const isForModel = field.name !== 'options';
	const variants = options.map((option) =>
		isForModel && option.type === 'boolean'
			? asText(option, 'Give true or false.', 'e.g. true')
			: toolVariantOf(option),
	);
	return variants.some((variant, at) => variant !== options[at])
		? { ...field, options: variants }
		: field;
}

function asText(
	field: INodeProperties,
	how: string,
	placeholder = field.placeholder,
): INodeProperties {
	const description = field.description === undefined ? how : `${field.description}. ${how}`;
	return { ...field, type: 'string', default: '', placeholder, description };
}

function on(rule: 'hide' | 'show', field: INodeProperties): INodeProperties {
	const own: IDisplayOptions = field.displayOptions ?? {};
	const displayOptions = { ...own, [rule]: { ...own[rule], '@tool': [true] } };
	return { ...field, displayOptions };
}
