import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { displayParameter } from 'n8n-workflow';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { operationsOf, parametersOf } from '../../test/support/description.mts';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { checkedIn, schemaFile } from './schema-files.mts';

/** The folder of the pictures. */
export const PICTURES = join(PROJECT_FOLDER, 'docs/images');
/** A file with a hash of the texts in each picture. */
export const MANIFEST = join(PICTURES, 'manifest.json');

const { description: node } = new CommunityPlatform();
const { description: webhookTrigger } = new CommunityPlatformTrigger();
const { description: pollingTrigger } = new CommunityPlatformPollingTrigger();

/** The texts of the package in each picture of the editor, by the name of its file. */
const TEXTS: Record<string, () => unknown> = {
	'editor-actions.png': () => [
		...[node.displayName, webhookTrigger.description],
		optionsOf(webhookTrigger, 'events').map(({ name }) => name),
		operationsOf(node.properties).map(({ option }) => option.action),
	],
	'editor-credential.png': () => new CommunityPlatformApi().properties.map(textsOf),
	'editor-failure.png': () => formOf('user.get'),
	'editor-items.png': () => formOf('user.getAll'),
	'editor-output-preview.png': () => [formOf('user.get'), fieldsOf('user.getAll')],
	'editor-picker.png': () => formOf('user.updateRole'),
	'editor-polling-trigger.png': () => formOfTrigger(pollingTrigger),
	'editor-trigger-url.png': () => formOfTrigger(webhookTrigger),
};

/** The result of {@link shownInPictures} from when the pictures were taken. */
export async function readManifest(): Promise<unknown> {
	return JSON.parse(await readFile(MANIFEST, 'utf8'));
}

/**
 * Hashes the contents of each picture, to detect an outdated one.
 *
 * @returns hashes by file name: of the texts for the editor, of the workflow for an example
 */
export async function shownInPictures(): Promise<Record<string, string>> {
	const names = (await readdir(PICTURES)).filter((name) => /^(editor|example)-/.test(name)).sort();
	const entries = names.map(async (name) => {
		const [, example] = /^example-(.+)\.png$/.exec(name) ?? [];
		const shown = example
			? await readFile(join(PROJECT_FOLDER, `examples/${example}.json`))
			: JSON.stringify(TEXTS[name]());
		return [name, createHash('sha256').update(shown).digest('hex')];
	});
	return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
}

/** The form of an operation with empty collections. */
function formOf(key: string): unknown {
	const { resource, option } = operationsOf(node.properties).find((each) => each.key === key)!;
	const label = optionsOf(node, 'resource').find(({ value }) => value === resource)?.name;
	const fields = parametersOf(node.properties, key).map(textsOf);
	return [node.displayName, label, option.name, fields];
}

function formOfTrigger(trigger: INodeTypeDescription): unknown {
	const { displayName, properties, triggerPanel } = trigger;
	const { header, activationHint } = { ...(triggerPanel as object) } as Record<string, unknown>;
	const defaults = Object.fromEntries(properties.map((each) => [each.name, each.default]));
	const shown = properties.filter((each) => displayParameter(defaults, each, null, trigger));
	return [displayName, header, activationHint, shown.map(textsOf)];
}

/** The visible texts of a field, without tooltips and lists. */
function textsOf({ displayName, type, placeholder, hint, modes, ...rest }: INodeProperties) {
	const values = type === 'options' ? (rest.options as INodePropertyOptions[]) : [];
	const chosen = values.find(({ value }) => value === rest.default)?.name;
	const [mode] = modes ?? [];
	return [displayName, placeholder, hint, chosen, mode?.displayName, mode?.placeholder];
}

function optionsOf({ properties }: INodeTypeDescription, name: string): INodePropertyOptions[] {
	return properties.find((each) => each.name === name)?.options as INodePropertyOptions[];
}

function fieldsOf(key: string): string[] {
	const { properties } = JSON.parse(checkedIn().get(schemaFile(key)) ?? '') as {
		properties: object;
	};
	return Object.keys(properties);
}
