import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { name as packageName } from '../../package.json';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { operationsOf } from '../support/description.mts';
import { NODES } from '../support/nodes.mts';

type Place = Record<string, string>;
type Rules = Record<string, unknown[] | undefined>;
// The conditions that determine which operations have a parameter. Inside a collection, they begin with a slash.
const PLACES = /^\/?(resource|operation)$/;

// Saved workflows depend on these names and values. A change here needs a new version of the node (CONTRIBUTING,
// "Raising a node's version"); `npm test -- test/engine/public-contract -u` adds new ones. Texts are not part of it.
it('The package and its credential', () => {
	const { name, properties } = new CommunityPlatformApi();
	const everywhere = linesOf(properties);
	expect({ package: packageName, credential: name, everywhere }).toMatchSnapshot();
});

it.each(NODES.map(({ description }) => [description.name, description] as const))(
	'%s',
	(_name, description) => {
		const { version, group, usableAsTool = false, inputs, outputs, credentials } = description;
		const webhooks = (description.webhooks ?? []).map(({ httpMethod, path }) => [httpMethod, path]);
		const frame = { version, group, usableAsTool, inputs, outputs, credentials, webhooks };
		const lines = Object.entries(frame).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
		expect({ frame: lines, ...blocksOf(description.properties) }).toMatchSnapshot();
	},
);

/** The parameters of each operation. Those of all operations are in a block of their own. */
function blocksOf(properties: INodeProperties[]): Record<string, string[]> {
	const operations = operationsOf(properties);
	if (operations.length === 0) return { everywhere: linesOf(properties) };
	// Their values are the names of the blocks.
	const lists = properties.filter(({ name }) => name === 'operation');
	const others = properties.filter(({ name }) => name !== 'operation');
	const blocks = operations.map(({ key, resource, option }): [string, string[]] => [
		key,
		linesOf(others, { resource, operation: String(option.value) }),
	]);
	const everywhere = blocks[0][1].filter((line) => blocks.every(([, all]) => all.includes(line)));
	const resources = [...new Set(operations.map(({ resource }) => resource))];
	return {
		everywhere,
		...Object.fromEntries(resources.map((resource) => [resource, linesOf(lists, { resource })])),
		...Object.fromEntries(
			blocks.map(([key, all]) => [key, all.filter((line) => !everywhere.includes(line))]),
		),
	};
}

/** The parameters that one place has, and their options, one line each. */
function linesOf(properties: INodeProperties[], place: Place = {}): string[] {
	return [...new Set(properties.flatMap((property) => definitionsOf(property, place)))].sort();
}

function definitionsOf(property: INodeProperties, place: Place, path = ''): string[] {
	const { name, type, typeOptions = {}, modes, displayOptions, ...rest } = property;
	const { show = {}, hide = {} } = (displayOptions ?? {}) as Record<string, Rules>;
	const isMet = ([key, values]: [string, unknown[]?]) =>
		values?.includes(place[key.replace('/', '')]);
	if (type === 'notice' || !placesOf(show).every(isMet) || placesOf(hide).some(isMet)) return [];
	const { multipleValues, minValue, maxValue } = typeOptions;
	const definition = {
		default: rest.default,
		required: rest.required || undefined,
		noDataExpression: rest.noDataExpression,
		multipleValues,
		minValue,
		maxValue,
		modes: modes?.map((mode) => mode.name),
		values: name !== 'operation' && /ptions$/.test(type) ? valuesOf(property) : undefined,
		show: conditionsOf(show),
		hide: conditionsOf(hide),
	};
	const text = JSON.stringify(definition, (key, value: unknown) =>
		key === 'cachedResultName' ? undefined : value,
	);
	const inside = insideOf(property).flatMap(([inner, folder]) =>
		definitionsOf(inner, place, `${path}${name}.${folder}`),
	);
	return [`${path}${name} ${type} ${text}`, ...inside];
}

function placesOf(rules: Rules): Array<[string, unknown[]?]> {
	return Object.entries(rules).filter(([key]) => PLACES.test(key));
}

/** The rules that do not name an operation. */
function conditionsOf(rules: Rules): Rules | undefined {
	const conditions = Object.entries(rules).filter(([key]) => !PLACES.test(key));
	return conditions.length > 0 ? Object.fromEntries(conditions.sort()) : undefined;
}

function insideOf({ type, options = [] }: INodeProperties): Array<[INodeProperties, string]> {
	if (type === 'collection') return (options as INodeProperties[]).map((inner) => [inner, '']);
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ name, values }) =>
		values.map((inner): [INodeProperties, string] => [inner, `${name}.`]),
	);
}

function valuesOf({ options = [] }: INodeProperties): unknown[] {
	return (options as INodePropertyOptions[]).map(({ value }) => value).sort();
}
