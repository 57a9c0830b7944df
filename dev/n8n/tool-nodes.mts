import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { knownFields, NOT_FOR_MODELS } from '../scripts/tool-parameters.mts';
import { PACKAGE_NAME } from './paths.mts';

const LONGEST_KEY = 63;
const NOT_TO_FILL_IN = ['notice', 'hidden', 'fixedCollection'];
// The choices that a person makes in a tool, so that the parameters for a model are shown.
const CHOSEN: IDataObject = { membersInput: 'text', orderInput: 'json' };

/**
 * Makes a tool of every operation. As in n8n's editor, every parameter is left to the model, with its label as the name
 * and with its own type.
 *
 * @returns nodes without a credential, named `<Resource> <Operation>`
 */
export function toolNodes(): INode[] {
	const { properties } = new CommunityPlatform().description;
	const isShown = ({ displayOptions: { show, hide } = {} }: INodeProperties, shown: IDataObject) =>
		hide?.['@tool']?.includes(true) !== true &&
		Object.entries(shown).every(([name, value]) => show?.[name]?.includes(value as string));
	const optionsOf = (name: string, shown: IDataObject) =>
		properties
			.filter((property) => property.name === name && isShown(property, shown))
			.flatMap(({ options }) => options as INodePropertyOptions[]);
	return optionsOf('resource', {}).flatMap((resource, row) =>
		optionsOf('operation', { resource: resource.value }).map((operation, column): INode => {
			const chosen = { resource: resource.value, operation: operation.value };
			const fields = properties.filter((property) => isShown(property, chosen));
			return {
				id: randomUUID(),
				name: `${resource.name} ${operation.name}`,
				type: `${PACKAGE_NAME}.communityPlatformTool`,
				typeVersion: 1,
				position: [220 * column, 220 * (row + 1)],
				parameters: { ...chosen, ...parametersOf(fields) } as INode['parameters'],
			};
		}),
	);
}

function parametersOf(fields: INodeProperties[]): IDataObject {
	const chosen = fields.filter(({ name }) => name in CHOSEN);
	const left = fields.filter(
		(field) => !NOT_FOR_MODELS.includes(field.name) && canBeFilledIn(field),
	);
	return Object.fromEntries([
		...chosen.map(({ name }) => [name, CHOSEN[name]]),
		...left.map((field) => [field.name, decidedByModel(field)]),
	]) as IDataObject;
}

function decidedByModel(field: INodeProperties, isInCollection = false): unknown {
	const { displayName, type, modes } = field;
	if (type === 'collection') {
		const inside = knownFields(field).filter(canBeFilledIn);
		return Object.fromEntries(inside.map((each) => [each.name, decidedByModel(each, true)]));
	}
	const asked = ['boolean', 'number', 'json'].includes(type) ? type : 'string';
	const key = displayName.replace(/[^a-zA-Z0-9-]/g, '_').slice(0, LONGEST_KEY);
	const fallback = defaultOf(field, isInCollection);
	const value = `={{ $fromAI('${key}', '${inShort(field)}', '${asked}'${fallback}) }}`;
	if (type !== 'resourceLocator') return value;
	const mode = modes?.some((each) => each.name === 'name') ? 'name' : 'id';
	return { __rl: true, mode, value };
}

// An argument with a default is optional to a model (docs/decisions.md, E25).
function defaultOf({ type, required, default: value }: INodeProperties, isInCollection: boolean) {
	if (type === 'boolean' || type === 'number') return `, ${String(value)}`;
	// The default author is the owner of the API key.
	const isChosen = typeof value === 'object' && value !== null && 'value' in value && value.value;
	return required && !isInCollection && !isChosen ? '' : ", ''";
}

// Short but clear, because many tools share a model's context.
function inShort({ description = '', placeholder = '', type, ...field }: INodeProperties): string {
	const [clause] = description.split(/(?<=(?<!e\.g)\.) |; |: |, (?!e\.g|.* or )/);
	const sentence = /^The (member|board|tag) to work with/.test(clause) ? '' : clause;
	const names = (all: Array<{ name: string }> = []) => all.map(({ name }) => name).join(', ');
	const ways = field.modes?.filter((mode) => mode.type !== 'list');
	if (type === 'options') return names(field.options);
	// Words need no example, and a model would take over a time zone.
	const isNeeded = /[{@#,]|T\d/.test(placeholder.replace(/https:\/\/.*/, ''));
	const parts = [
		field.name !== 'limit' && sentence.replace(/\.$/, ''),
		isNeeded && placeholder,
		description.includes('true or false') && 'true or false',
		ways && `by ${names(ways)}`,
	];
	return parts
		.filter((part) => part)
		.join(', ')
		.replace(/[\\']/g, '\\$&');
}

function canBeFilledIn({ type, noDataExpression, displayOptions }: INodeProperties): boolean {
	const isHidden = displayOptions?.hide?.['@tool']?.includes(true);
	return !NOT_TO_FILL_IN.includes(type) && !noDataExpression && !isHidden;
}
