import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { name as packageName } from '../../package.json';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { operationsOf } from '../support/description.mts';
import { NODES } from '../support/nodes.mts';

// These conditions determine which operations have a parameter.
const PLACES = ['resource', 'operation'];

// Saved workflows depend on these names and values. A change here needs a new version of the node (CONTRIBUTING,
// "Raising a node's version"); `npm test -- test/engine/public-contract -u` adds new ones. Texts are not part of it.
describe('Package', () => {
	it('has the names of the package and its credential', () => {
		const { name, properties } = new CommunityPlatformApi();
		expect({ package: packageName, credential: name, ...linesOf(properties) }).toMatchSnapshot();
	});
});

describe('Resources, operations, parameters', () => {
	it.each(NODES.map(({ description }) => [description.name, description] as const))(
		'%s',
		(_name, description) => {
			const { version, group, usableAsTool = false, inputs, outputs, credentials } = description;
			const webhooks = (description.webhooks ?? []).map(({ httpMethod, path }) => [
				httpMethod,
				path,
			]);
			const frame = { version, group, usableAsTool, inputs, outputs, credentials, webhooks };
			const lines = Object.entries(frame).map(([name, value]) => [name, JSON.stringify(value)]);
			expect({
				...Object.fromEntries(lines),
				...linesOf(description.properties),
			}).toMatchSnapshot();
		},
	);
});

/** Each different definition of a parameter, with the operations that have it. */
function linesOf(properties: INodeProperties[]): Record<string, string> {
	const operations = operationsOf(properties).map(({ key }) => key);
	const places = new Map<string, Set<string>>();
	for (const property of properties) {
		for (const line of definitionsOf(property)) {
			const before = places.get(line) ?? [];
			places.set(line, new Set([...before, ...placesOf(property, operations)]));
		}
	}
	return Object.fromEntries(
		[...places].map(([line, at]) => [
			line,
			at.size === operations.length ? 'everywhere' : [...at].sort().join(' '),
		]),
	);
}

function placesOf({ name, displayOptions }: INodeProperties, operations: string[]): string[] {
	const { resource: resources = [], operation: shown = [] } = displayOptions?.show ?? {};
	if (name === 'operation') return resources.map(String);
	return operations.filter((key) => {
		const [resource, operation] = key.split('.');
		return resources.includes(resource) && shown.includes(operation);
	});
}

/** A parameter and its fields, one line each. */
function definitionsOf(property: INodeProperties, path = ''): string[] {
	const { name, type, typeOptions = {}, modes, displayOptions, ...rest } = property;
	if (type === 'notice') return [];
	const { multipleValues, minValue, maxValue } = typeOptions;
	const { show: shown = {}, hide } = displayOptions ?? {};
	const show = Object.entries(shown).filter(([key]) => !PLACES.includes(key));
	const definition = {
		type,
		default: rest.default,
		required: rest.required || undefined,
		noDataExpression: rest.noDataExpression,
		multipleValues,
		minValue,
		maxValue,
		modes: modes?.map((mode) => mode.name),
		values: /ptions$/.test(type) ? valuesOf(property) : undefined,
		show: show.length > 0 ? Object.fromEntries(show) : undefined,
		hide,
	};
	const text = JSON.stringify(definition, (key, value: unknown) =>
		key === 'cachedResultName' ? undefined : value,
	);
	return [`${path}${name} ${text}`, ...insideOf(property, `${path}${name}.`)];
}

function insideOf({ type, options = [] }: INodeProperties, path: string): string[] {
	if (type === 'collection') {
		return (options as INodeProperties[]).flatMap((inner) => definitionsOf(inner, path));
	}
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ name, values }) =>
		values.flatMap((inner) => definitionsOf(inner, `${path}${name}.`)),
	);
}

function valuesOf({ options = [] }: INodeProperties): unknown[] {
	return (options as INodePropertyOptions[]).map(({ value }) => value).sort();
}
