import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import type { Schema } from '../../../sandbox/openapi.mts';

/** An entry of the public contract; undefined where there is none. */
export type Value = string | number | boolean | null | undefined | Value[] | Contract;

/**
 * What saved workflows depend on: names, types, defaults, option values, display rules, the fields of items, and
 * what the webhook accepts and answers. Texts and looks are not part of it.
 */
export interface Contract {
	[key: string]: Value;
}

/** What a contract is made from, loaded from the sources or from the build. */
export interface Parts {
	package: string;
	nodes: INodeType[];
	credentials: ICredentialType[];
	/** Output previews by node, version, and operation or kind of item. */
	previews: Record<string, Record<string, Record<string, Schema>>>;
	/** The fields of items that are not simplified, by node, and operation or kind of item. */
	whole: Record<string, Record<string, readonly string[]>>;
	/** The answers to deliveries, by node. */
	answers: Record<string, Record<string, { status: number }>>;
	/** The bodies that are accepted (deliveries.mts), by node. */
	deliveries: Record<string, string[]>;
}

const TEXTS = [
	...['name', 'displayName', 'description', 'placeholder', 'hint', 'builderHint', 'routing'],
	...['rows', 'password', 'sortable', 'multipleValueButtonText', 'fixedCollection', 'editor'],
	...[
		'alwaysOpenEditWindow',
		'searchable',
		'searchListMethod',
		'search',
		'url',
		'cachedResultName',
	],
];
const EVERYWHERE = 'everywhere';
// These conditions say where a parameter is declared, and not when it is shown there.
const BY_PLACE = ['resource', 'operation'];

/** Extracts the public contract. */
export function contractOf(parts: Parts): Contract {
	return {
		package: parts.package,
		nodes: Object.fromEntries(
			parts.nodes.map((node) => [node.description.name, nodeContract(node, parts)]),
		),
		credentials: Object.fromEntries(
			parts.credentials.map(({ name, properties }) => [name, parametersOf(properties)]),
		),
	};
}

function nodeContract({ description, methods }: INodeType, parts: Parts): Contract {
	const { name, version, group, usableAsTool, credentials = [], webhooks = [] } = description;
	const answers = Object.entries(parts.answers[name] ?? {});
	return {
		versions: [version].flat(),
		group: [...group],
		...(usableAsTool && { isTool: true }),
		inputs: numbered(description.inputs),
		outputs: numbered(description.outputs),
		credentials: Object.fromEntries(
			credentials.map((each) => [each.name, { required: each.required === true }]),
		),
		webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.name, { ...webhook }])),
		answers: Object.fromEntries(answers.map(([answer, { status }]) => [answer, status])),
		deliveries: parts.deliveries[name] ?? [],
		pickers: Object.keys(methods?.listSearch ?? {}).sort(),
		parameters: parametersByPlace(description.properties),
		items: itemsOf(name, parts),
	};
}

// Connections go by number.
function numbered(connections: unknown): Contract {
	return Object.fromEntries([connections].flat().map((each, at) => [at, String(each)]));
}

/** The parameters of each operation, and those of a resource or of all of them. */
function parametersByPlace(properties: INodeProperties[]): Contract {
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				(options as INodePropertyOptions[]).map(({ value }) => ({ resource, operation: value })),
			),
		);
	const places: Record<string, INodeProperties[]> = {};
	for (const property of properties) {
		const { resource: resources = [], operation: names } = property.displayOptions?.show ?? {};
		const shownFor = operations
			.filter((each) => resources.includes(each.resource) && names?.includes(each.operation))
			.map(({ resource, operation }) => `${String(resource)}.${String(operation)}`);
		const own = names ? shownFor : resources.map(String);
		for (const place of own.length > 0 ? own : [EVERYWHERE]) {
			places[place] = [...(places[place] ?? []), property];
		}
	}
	return Object.fromEntries(
		Object.entries(places).map(([place, shown]) => [place, parametersOf(shown)]),
	);
}

/**
 * Parameters by name, those of the tool's variant of the node that stand for another one there with "@tool" behind it;
 * notices are texts.
 *
 * @throws Error when two have the same name
 */
function parametersOf(properties: INodeProperties[]): Contract {
	const parameters: Contract = {};
	for (const property of properties.filter(({ type }) => type !== 'notice')) {
		const isOfTool = property.displayOptions?.show?.['@tool'] && property.name in parameters;
		const name = isOfTool ? `${property.name}@tool` : property.name;
		if (name in parameters) throw new Error(`"${name}" is declared twice for the same operation`);
		parameters[name] = parameterOf(property);
	}
	return parameters;
}

function parameterOf(property: INodeProperties): Contract {
	const { displayOptions, options = [], modes, typeOptions, ...said } = property;
	const show = Object.entries(displayOptions?.show ?? {}).filter(
		([key]) => !BY_PLACE.includes(key),
	);
	const when = JSON.stringify({ ...displayOptions, show: Object.fromEntries(show) });
	return {
		...withoutTexts(said),
		...withoutTexts(typeOptions ?? {}),
		...(when !== '{"show":{}}' && { when }),
		...(modes && {
			modes: Object.fromEntries(modes.map((mode) => [mode.name, withoutTexts(mode)])),
		}),
		...(options.length > 0 && contentsOf(property.type, options)),
	};
}

function contentsOf(type: string, options: NonNullable<INodeProperties['options']>): Contract {
	if (type === 'collection') return { options: parametersOf(options as INodeProperties[]) };
	if (type !== 'fixedCollection') {
		return { values: (options as INodePropertyOptions[]).map(({ value }) => value) };
	}
	const groups = options as INodePropertyCollection[];
	return {
		groups: Object.fromEntries(groups.map((each) => [each.name, parametersOf(each.values)])),
	};
}

function withoutTexts(value: object): Contract {
	const entries = Object.entries(value as Contract).filter(
		([key, each]) => !TEXTS.includes(key) && each !== undefined,
	);
	return Object.fromEntries(
		entries.map(([key, each]) => [
			key,
			typeof each === 'object' && each !== null && !Array.isArray(each) ? withoutTexts(each) : each,
		]),
	);
}

function itemsOf(node: string, { previews, whole }: Parts): Contract {
	const forms = whole[node] ?? {};
	return Object.fromEntries(
		Object.entries(previews[node] ?? {}).map(([version, schemas]) => {
			const subjects = [...new Set([...Object.keys(schemas), ...Object.keys(forms)])];
			const items = (subject: string): Contract => ({
				fields: typesIn(schemas[subject] ?? {}),
				...(subject in forms && { whole: [...forms[subject]] }),
			});
			return [version, Object.fromEntries(subjects.map((each) => [each, items(each)]))];
		}),
	);
}

function typesIn({ properties = {}, items }: Schema, path = ''): Record<string, string> {
	const inner = Object.entries(properties as Record<string, Schema>).map(
		([name, schema]) => [path === '' ? name : `${path}.${name}`, schema] as const,
	);
	const each = items ? [[`${path}[]`, items as Schema] as const] : [];
	return Object.fromEntries(
		[...inner, ...each].flatMap(([own, schema]) => [
			[own, [schema.type].flat().join('|')],
			...Object.entries(typesIn(schema, own)),
		]),
	) as Record<string, string>;
}
