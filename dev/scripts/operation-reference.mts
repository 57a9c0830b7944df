import type { IDataObject } from 'n8n-workflow';
import type {
	Operation,
	Resource,
	StrategyName,
} from '../../nodes/CommunityPlatform/actions/operation.ts';
import type { Field } from '../../nodes/CommunityPlatform/input/field.ts';
import {
	fieldsOf,
	listingFields,
	optionsFieldOf,
	outputField,
	resources,
	simplifyField,
} from '../../nodes/CommunityPlatform/actions/index.ts';
import { API_PATH } from '../../nodes/shared/transport/index.ts';
import { parameterTable } from './parameter-table.mts';

const SHARED = 'Shared parameters';

const HOW_TO_READ = [
	'In an endpoint, braces hold the name of a parameter. In the tables, *name* is the name of the',
	'parameter in a saved workflow. Parameters below *Additional Fields*, *Update Fields*, *Filters*,',
	'*Sort* or *Options* are left out unless you add them; their default is the value when added. The items are',
	"those of the local community (`npm run sandbox`), with the node's parameters at their defaults where the",
	'operation asks for nothing else.',
].join('\n');

/** What is sent beside the request itself. */
const BESIDE: Record<StrategyName, (path: string) => string> = {
	one: () => '',
	listing: () => ', page by page',
	reorder: () => compared(`GET ${API_PATH}/boards`),
	replace: (path) => compared(`GET ${path}`),
	updateRole: (path) => compared(`GET ${path}\` or pages of \`GET ${API_PATH}/users`),
	upsertTag: () =>
		`, or \`PUT ${API_PATH}/tags/{tagId}\` if \`GET ${API_PATH}/tags/search\` finds the name`,
};

function compared(read: string): string {
	return `, after \`${read}\` with Dry Run or Skip Unchanged`;
}

/**
 * Everything the action node can do: a table of contents, then each operation with its endpoint, its
 * parameters and an item that it gives, then the parameters that many operations share.
 *
 * @param examples an item for each operation, by `<resource>.<operation>`
 * @returns Markdown
 * @throws Error when an operation has no example
 */
export function operationReference(examples: Map<string, IDataObject>): string {
	const sections = resources.flatMap((resource) =>
		resource.operations.map((operation) => {
			const example = examples.get(`${resource.value}.${operation.value}`);
			if (example === undefined)
				throw new Error(
					`${titleOf(resource, operation)} has no example item: no row of test/engine/wire/ gives one`,
				);
			return section(resource, operation, example);
		}),
	);
	return [HOW_TO_READ, contents(), ...sections, shared()].join('\n\n');
}

function contents(): string {
	const rows = resources.flatMap((resource) =>
		resource.operations.map((operation) => {
			const title = titleOf(resource, operation);
			return `| [${title}](#${anchorOf(title)}) | ${operation.description} | ${endpointOf(operation)} |`;
		}),
	);
	return ['| operation | what it does | what is sent |', '|---|---|---|', ...rows].join('\n');
}

function section(resource: Resource, operation: Operation, example: IDataObject): string {
	const { fields, description } = operation;
	const common = fieldsOf(operation).filter((field) => !fields.includes(field));
	const names = [...new Set(common.map(({ displayName }) => displayName))];
	return [
		`### ${titleOf(resource, operation)}`,
		`${description}. ${endpointOf(operation)}.`,
		fields.length > 0 ? parameterTable(asNode(fields)) : 'It has no parameters of its own.',
		`[${SHARED}](#${anchorOf(SHARED)}): ${names.join(', ')}.`,
		`An item:\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
	].join('\n\n');
}

function shared(): string {
	return [
		`### ${SHARED}`,
		[
			'An operation has those that it names. Where the node is used as a tool, Output stands in place of Simplify, and',
			'with *Selected Fields* also Fields (`fields`), [which are those of the record](tools.md#what-a-model-gets).',
			'Options → Include Role Name is there for users only, Include Details for Get Many of users; Dry Run where something',
			'is created or changed, Skip Unchanged where what is changed can be read before.',
		].join('\n'),
		parameterTable([...listingFields, simplifyField, outputField, allOptions()]),
	].join('\n\n');
}

function titleOf(resource: Resource, operation: Operation): string {
	return `${resource.name}: ${operation.name}`;
}

function endpointOf({ request: { method, url }, strategy, fields }: Operation): string {
	const path = `${API_PATH}${url}`;
	const keeping = fields.find(({ name }) => name === 'keepOtherFields');
	const beside = keeping
		? `, after \`GET ${path}\` unless ${keeping.displayName} is off`
		: BESIDE[strategy](path);
	return `\`${method} ${path}\`${beside}`;
}

// Without the variants that tools have in place of some.
function asNode(fields: Field[]): Field[] {
	const names = fields.map(({ name }) => name);
	return fields.filter(({ name }, index) => names.indexOf(name) === index);
}

// Every option that an operation has, in alphabetical order of their labels.
function allOptions(): Field {
	const fields = resources.flatMap(({ operations }) => operations.map(optionsFieldOf));
	const options = new Set(fields.flatMap((field) => (field.options ?? []) as Field[]));
	const sorted = [...options].sort((a, b) => a.displayName.localeCompare(b.displayName));
	return { ...fields[0], options: sorted };
}

// As GitHub makes it of a heading in letters, spaces and colons.
function anchorOf(heading: string): string {
	return heading.toLowerCase().replace(/:/g, '').replaceAll(' ', '-');
}
