import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CommunityPlatform } from '../../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { described, NOT_FOR_MODELS } from '../../scripts/tool-parameters.mts';
import { PACKAGE_NAME } from '../paths.mts';

/** What a model is told of each parameter: its label alone, or the text of docs/tools.md as well. */
export type Told = 'labels' | 'descriptions';

// What n8n's editor writes for its button "Let the model define this parameter".
const MARK = '/*n8n-auto-generated-fromAI-override*/';
const LONGEST_KEY = 63;

// What the maker of a tool has to choose, so that the parameters that a model can fill in apply.
const CHOSEN: IDataObject = { membersInput: 'text', orderInput: 'json' };

/**
 * Makes a tool of every operation, with every parameter left to the model: as n8n's editor does by its button, named by
 * its label, typed by its own type; a dropdown, which has no button, by an expression that its maker writes.
 *
 * @returns nodes without a credential, named `<Resource> <Operation>`
 */
export function toolNodes(told: Told): INode[] {
	const { properties } = new CommunityPlatform().description;
	const resources = optionsOf(properties.find(({ name }) => name === 'resource'));
	return resources.flatMap((resource, row) => {
		const shown = properties.filter(({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(resource.value),
		);
		const operations = optionsOf(
			properties.find(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(resource.value),
			),
		);
		return operations.map((operation, column): INode => ({
			id: randomUUID(),
			name: `${resource.name} ${operation.name}`,
			type: `${PACKAGE_NAME}.communityPlatformTool`,
			typeVersion: 1,
			position: [220 * column, 220 * (row + 1)],
			parameters: {
				resource: resource.value,
				operation: operation.value,
				...parametersOf(
					shown.filter((field) => isShown(field, operation.value)),
					told,
				),
			} as INode['parameters'],
		}));
	});
}

function isShown({ displayOptions: { show, hide } = {} }: INodeProperties, operation: unknown) {
	const isHidden = hide?.['@tool']?.includes(true) === true;
	return !isHidden && show?.operation?.includes(operation as string) === true;
}

function parametersOf(fields: INodeProperties[], told: Told): IDataObject {
	const chosen = fields.filter(({ name }) => name in CHOSEN);
	const left = fields.filter((field) => !NOT_FOR_MODELS.includes(field.name) && isEditable(field));
	return Object.fromEntries([
		...chosen.map(({ name }) => [name, CHOSEN[name]]),
		...left.map((field) => [field.name, valueOf(field, told)]),
	]) as IDataObject;
}

function valueOf(field: INodeProperties, told: Told): IDataObject[string] {
	if (field.type === 'collection') {
		const options = (field.options as INodeProperties[]).filter(isEditable);
		const texts = new Map(options.map((option) => [option.name, textOf(field, option)]));
		return Object.fromEntries(
			options.map((option) => [option.name, decided(option, told, texts.get(option.name))]),
		) as IDataObject;
	}
	return decided(field, told, described(field).at(-1)?.text);
}

// The text of a collection's field says what empty text does there.
function textOf(collection: INodeProperties, option: INodeProperties): string | undefined {
	return described({ ...collection, options: [option] }).at(-1)?.text;
}

function decided(field: INodeProperties, told: Told, text = ''): IDataObject[string] {
	const type = ['boolean', 'number', 'json'].includes(field.type) ? field.type : 'string';
	const key = field.displayName.replace(/[^a-zA-Z0-9-]/g, '_').slice(0, LONGEST_KEY);
	const description = told === 'labels' ? '' : asPasted(text);
	const mark = field.type === 'options' ? '' : `${MARK} `;
	const value = `={{ ${mark}$fromAI('${key}', \`${description}\`, '${type}') }}`;
	if (field.type !== 'resourceLocator') return value;
	const mode = field.modes?.some(({ name }) => name === 'name') ? 'name' : 'id';
	return { __rl: true, mode, value };
}

// The text as it is shown in docs/tools.md.
function asPasted(text: string): string {
	return text.replaceAll(/[`\\]/g, '').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}

function isEditable({ type, noDataExpression }: INodeProperties): boolean {
	return !['notice', 'hidden', 'fixedCollection'].includes(type) && !noDataExpression;
}

function optionsOf(property?: INodeProperties): INodePropertyOptions[] {
	return (property?.options ?? []) as INodePropertyOptions[];
}
