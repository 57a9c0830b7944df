import type {
	ICredentialType,
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyMode,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import type { Schema } from '../../sandbox/openapi.mts';

/**
 * What saved workflows rest on. Texts, what only the editor looks at, and the request that tests a credential are no
 * part of it.
 */
export interface PublicContract {
	/** n8n puts it in front of the names of the nodes. */
	package: string;
	/** By name. */
	nodes: Record<string, NodeContract>;
	/** The parameters of each credential, by its name. */
	credentials: Record<string, Parameter[]>;
}

export interface NodeContract {
	versions: number[];
	kind: 'action' | 'trigger';
	/** There is a variant of it for AI agents. */
	isTool: boolean;
	inputs: string[];
	outputs: string[];
	/** For each credential whether the node needs it. */
	credentials: Record<string, boolean>;
	/** How a webhook is reached and answered, by its name. */
	webhooks: Record<string, Record<string, unknown>>;
	/** The status of each answer to a delivery. */
	answers: Record<string, number>;
	/** The methods behind its lists to choose from. */
	pickers: string[];
	/** As the node declares them: one name may stand there several times, each shown for something else. */
	parameters: Parameter[];
	/** By the node's version, then by operation or kind of item. */
	items: Record<string, Record<string, Items>>;
}

export interface Parameter {
	name: string;
	type: string;
	default: unknown;
	required?: boolean;
	/** It takes no expression. */
	isFixed?: boolean;
	displayOptions?: IDisplayOptions;
	/** What a dropdown offers. */
	values?: unknown[];
	min?: number;
	max?: number;
	/** Of a collection. */
	parameters?: Parameter[];
	/** Of a fixed collection, by the name of the group. */
	groups?: Record<string, Parameter[]>;
	/** Of a resource locator: the type of each mode by its name, and what else n8n does with its value. */
	modes?: Record<string, unknown>;
	/** Whatever else is said of it: what it means is not known here, so that no change of it passes. */
	others?: Record<string, unknown>;
}

export interface Items {
	/** Types by path, several with a bar between them; simplified, where there is such a form. */
	fields: Record<string, string>;
	/** The fields of the form that is not simplified. */
	whole?: string[];
}

/** What a contract is made from, loaded from the sources or from the build. */
export interface Parts {
	package: string;
	nodes: INodeType[];
	credentials: ICredentialType[];
	/** Output previews by node, version, and operation or kind of item. */
	previews: Record<string, Record<string, Record<string, Schema>>>;
	/** The fields of the forms that are not simplified, by node, and operation or kind of item. */
	whole: Record<string, Record<string, readonly string[]>>;
	/** By node. */
	answers: Record<string, Record<string, { status: number }>>;
}

// Texts, looks and where the value is sent to: a saved workflow works without.
const NOT_OF_IT = [
	...['displayName', 'description', 'placeholder', 'hint', 'builderHint', 'routing'],
	...['name', 'type', 'default', 'required', 'noDataExpression', 'displayOptions'],
	...['options', 'modes', 'typeOptions'],
];
const LOOKS = [
	...['minValue', 'maxValue', 'rows', 'password', 'sortable', 'multipleValueButtonText'],
	...['fixedCollection', 'editor', 'alwaysOpenEditWindow', 'searchable', 'searchListMethod'],
];
const MODE_TEXTS = ['displayName', 'name', 'hint', 'placeholder', 'typeOptions', 'search', 'url'];
const KNOWN_CONDITION = /^(\/?\w+|@version|@tool)$/;

/**
 * Extracts the public contract.
 *
 * @throws Error when a parameter says something whose changes could not be judged
 */
export function contractOf(parts: Parts): PublicContract {
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

function nodeContract({ description, methods }: INodeType, parts: Parts): NodeContract {
	const { name, version, group, usableAsTool, inputs, outputs } = description;
	const { credentials = [], webhooks = [], properties } = description;
	const answers = Object.entries(parts.answers[name] ?? {});
	return {
		versions: [version].flat(),
		kind: group.includes('trigger') ? 'trigger' : 'action',
		isTool: usableAsTool !== undefined,
		inputs: [inputs].flat().map(String),
		outputs: [outputs].flat().map(String),
		credentials: Object.fromEntries(
			credentials.map((credential) => [credential.name, credential.required === true]),
		),
		webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.name, { ...webhook }])),
		answers: Object.fromEntries(answers.map(([answer, { status }]) => [answer, status])),
		pickers: Object.keys(methods?.listSearch ?? {}).sort(),
		parameters: parametersOf(properties),
		items: itemsOf(name, parts),
	};
}

/**
 * What saved workflows rest on in parameters; notices are texts.
 *
 * @throws Error when one says something whose changes could not be judged
 */
export function parametersOf(properties: INodeProperties[]): Parameter[] {
	return properties.filter(({ type }) => type !== 'notice').map(parameterOf);
}

function parameterOf(property: INodeProperties): Parameter {
	const { name, type, required, noDataExpression, displayOptions, modes } = property;
	const { minValue, maxValue, ...typeOptions } = property.typeOptions ?? {};
	const options = property.options ?? [];
	const others = { ...without(NOT_OF_IT, property), ...without(LOOKS, typeOptions) };
	requireKnown(property);
	return {
		name,
		type,
		default: withoutText(property.default),
		...(required && { required }),
		...(noDataExpression && { isFixed: true }),
		...(displayOptions && { displayOptions }),
		...((type === 'options' || type === 'multiOptions') && {
			values: (options as INodePropertyOptions[]).map(({ value }) => value),
		}),
		...(minValue !== undefined && { min: minValue }),
		...(maxValue !== undefined && { max: maxValue }),
		...(type === 'collection' && { parameters: parametersOf(options as INodeProperties[]) }),
		...(type === 'fixedCollection' && {
			groups: Object.fromEntries(
				(options as INodePropertyCollection[]).map((group) => [
					group.name,
					parametersOf(group.values),
				]),
			),
		}),
		...(modes && { modes: Object.fromEntries(modes.map(modeOf)) }),
		...(Object.keys(others).length > 0 && { others }),
	};
}

function modeOf(mode: INodePropertyMode): [string, unknown] {
	return [mode.name, without(MODE_TEXTS, mode)];
}

function requireKnown({ name, displayOptions = {}, options = [] }: INodeProperties): void {
	const conditions = [displayOptions.show, displayOptions.hide].flatMap((each) =>
		Object.keys(each ?? {}),
	);
	const unknown = conditions.find((key) => !KNOWN_CONDITION.test(key));
	if (unknown) throw new Error(`"${name}": a condition on "${unknown}" cannot be judged`);
	if (options.some((option) => 'value' in option && 'displayOptions' in option)) {
		throw new Error(`"${name}": an option with a condition of its own cannot be judged`);
	}
}

// The label of what a locator is set to.
function withoutText(value: unknown): unknown {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject ? without(['cachedResultName'], value) : value;
}

function without(keys: string[], value: object): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(value).filter(([key, each]) => !keys.includes(key) && each !== undefined),
	);
}

function itemsOf(node: string, { previews, whole }: Parts): NodeContract['items'] {
	const forms = whole[node] ?? {};
	const items = (subject: string, schema: Schema = {}): Items => ({
		fields: typesIn(schema),
		...(subject in forms && { whole: [...forms[subject]] }),
	});
	return Object.fromEntries(
		Object.entries(previews[node] ?? {}).map(([version, schemas]) => {
			const subjects = [...new Set([...Object.keys(schemas), ...Object.keys(forms)])];
			return [
				version,
				Object.fromEntries(subjects.map((each) => [each, items(each, schemas[each])])),
			];
		}),
	);
}

function typesIn({ properties = {}, items }: Schema, path = ''): Record<string, string> {
	const inner = Object.entries(properties as Record<string, Schema>).flatMap(([name, schema]) => {
		const own = path === '' ? name : `${path}.${name}`;
		return [[own, [schema.type].flat().join('|')], ...Object.entries(typesIn(schema, own))];
	});
	const each = items
		? [
				[`${path}[]`, [(items as Schema).type].flat().join('|')],
				...Object.entries(typesIn(items as Schema, `${path}[]`)),
			]
		: [];
	return Object.fromEntries([...inner, ...each]) as Record<string, string>;
}
