import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { userDetail } from '../../nodes/shared/records/types.ts';

/** Names of parameters that the maker of a tool sets, not the model. */
export const NOT_FOR_MODELS: readonly string[] = [
	'resource',
	'operation',
	'simplify',
	'output',
	'fields',
	'returnAll',
	'orderInput',
	'boardOrder',
	'membersInput',
	'boardMembers',
	'keepOtherFields',
	'hiddenFields',
	'options',
	'hiddenFieldsNotice',
];

// Other values that a model can pass in a locator.
const NUMBER = 'The number before the dot will do.';
const BY_NUMBER: Record<string, string> = { refId: NUMBER, userId: NUMBER };
const AUTHOR = 'Empty for the owner of the API key.';

const WITHOUT_BUTTON = ['options', 'multiOptions', 'notice'];

interface Row {
	parameter: string;
	text: string;
	/** Labels of the operations with the parameter. */
	operations: string[];
}

/**
 * The parameters that a model can fill in, for each resource, with a description to paste into the tool, because n8n
 * passes only the label to a model.
 *
 * @returns Markdown, a table for each resource
 */
export function toolParameters(): string {
	const { properties } = new CommunityPlatform().description;
	const resources = optionsOf(properties.find(({ name }) => name === 'resource'));
	const tables = resources.map(({ name, value }) => {
		const isShown = ({ displayOptions }: INodeProperties) =>
			displayOptions?.show?.resource?.includes(value) === true &&
			displayOptions.hide?.['@tool'] === undefined;
		const shown = properties.filter(isShown);
		const operations = optionsOf(shown.find((property) => property.name === 'operation'));
		const rows = rowsOf(shown, operations);
		if (rows.length === 0) return `### ${name}\n\nThere is nothing to fill in.`;
		const lines = rows.map(
			(row) => `| ${row.operations.join(', ')} | ${row.parameter} | ${row.text} |`,
		);
		return [
			`### ${name}\n`,
			'| operations | parameter | description to paste |',
			'|---|---|---|',
			...lines,
		].join('\n');
	});
	return tables.join('\n\n');
}

function optionsOf(property?: INodeProperties): INodePropertyOptions[] {
	return (property?.options ?? []) as INodePropertyOptions[];
}

// The parameters of the node's tool variant that have a button for the model (docs/decisions.md, E25).
function isForModels({ name, type, displayOptions }: INodeProperties): boolean {
	const isHidden = displayOptions?.hide?.['@tool'] !== undefined;
	return !NOT_FOR_MODELS.includes(name) && !isHidden && !WITHOUT_BUTTON.includes(type);
}

// For a collection, the fields with a button.
function withButtons(field: INodeProperties): INodeProperties {
	if (field.type !== 'collection') return field;
	return { ...field, options: knownFields(field).filter(isForModels) };
}

/** The fields of a collection. For an update, without those that the API never returns: a model would guess their values. */
export function knownFields({ name, options }: INodeProperties): INodeProperties[] {
	const { fields: all, returned = [], neverReturned = [] } = userDetail;
	const unknown = [...all.filter((each) => !returned.includes(each)), ...neverReturned];
	const isUnknown = ({ routing }: INodeProperties) =>
		unknown.includes(routing?.send?.property ?? '');
	const fields = options as INodeProperties[];
	return name === 'updateFields' ? fields.filter((each) => !isUnknown(each)) : fields;
}

function rowsOf(shown: INodeProperties[], operations: INodePropertyOptions[]): Row[] {
	const rows = new Map<string, Row>();
	for (const field of shown.filter(isForModels)) {
		const having = operations.filter(({ value }) =>
			field.displayOptions?.show?.operation?.includes(value),
		);
		for (const { parameter, text } of described(withButtons(field))) {
			const row = rows.get(parameter + text) ?? { parameter, text, operations: [] };
			row.operations.push(...having.map(({ name }) => name));
			rows.set(parameter + text, row);
		}
	}
	return [...rows.values()];
}

/**
 * Describes a parameter, or each field of a collection, for a model.
 *
 * @returns its label in the tables, with the text
 */
function described(field: INodeProperties): Array<Omit<Row, 'operations'>> {
	const { displayName, type, options, modes = [], name } = field;
	if (type === 'collection') {
		return (options as INodeProperties[]).flatMap((option) =>
			described({ ...option, default: '' }).map(({ parameter, text }) => ({
				parameter,
				// n8n requires true or false, or an object, from a model. Other types can be empty text.
				text: !['boolean', 'json'].includes(option.type)
					? `${sentence(text)} Leave it empty unless you were told a value.`
					: text,
			})),
		);
	}
	// A description is pasted into an expression, which the braces of another one would end.
	const said = (field.description ?? displayName).replace(/ [^.]*{{.*}}\.$/, '').replace(/\.$/, '');
	if (type !== 'resourceLocator')
		return [{ parameter: displayName, text: withValues(said, field) }];
	// A model can use a record's ID or name in any mode of the parameter.
	const textModes = modes.filter((mode) => mode.type !== 'list').reverse();
	const ways = textModes.map(({ name }) => (name === 'id' ? 'ID' : name)).join(' or the ');
	const examples = textModes
		.map(({ placeholder = '' }) => placeholder.replace('e.g. ', ''))
		.join(' or ');
	const text = `${sentence(said)} Enter the ${ways}, e.g. ${examples}`;
	const more = name === 'author' && isOneself(field) ? AUTHOR : BY_NUMBER[name];
	return [{ parameter: displayName, text: more === undefined ? text : `${text}. ${more}` }];
}

function isOneself({ default: value }: INodeProperties): boolean {
	return typeof value === 'object' && value !== null && 'value' in value && value.value === 'me';
}

function withValues(said: string, { type, options, typeOptions, placeholder }: INodeProperties) {
	if (type === 'options') {
		const values = (options as INodePropertyOptions[]).map(({ name, value }) =>
			typeof value === 'number' ? `${value} (${name})` : String(value),
		);
		return `${sentence(said)} One of: ${values.join(', ')}`;
	}
	if (type === 'number') return `${said}, at least ${typeOptions?.minValue}`;
	if (placeholder === undefined) return said;
	const example = placeholder.replaceAll('<', '\\<');
	return said.includes('. ')
		? `${said}. ${example.replace('e.g.', 'For example:')}`
		: `${said}, ${example}`;
}

function sentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
