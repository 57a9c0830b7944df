import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import * as actionCodex from '../../nodes/CommunityPlatform/CommunityPlatform.node.json';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import * as pollingCodex from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.json';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import * as triggerCodex from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.json';
import { everyField } from '../support/description.mts';

// Rules of @n8n/eslint-plugin-community-nodes that are in n8n's repository but not in the published 0.32.0,
// each under its name there. They read one file at a time; here they look at the descriptions as n8n gets them.
const LONGEST_HINT = 120;
const CATEGORIES = [
	...['Analytics', 'Communication', 'Data & Storage', 'Development', 'Finance & Accounting'],
	...['Marketing & Content', 'Miscellaneous', 'Productivity', 'Sales', 'Utility'],
];

const descriptions = [
	new CommunityPlatform(),
	new CommunityPlatformTrigger(),
	new CommunityPlatformPollingTrigger(),
].map(({ description }) => description);
const credential = new CommunityPlatformApi();
const topLevel: INodeProperties[] = descriptions.flatMap(({ properties }) => properties);
const fields = everyField([...topLevel, ...credential.properties]);
const offers = fields
	.filter(({ type }) => type === 'options' || type === 'multiOptions')
	.map(({ options }) => options as INodePropertyOptions[]);

it('hint-max-length', () => {
	const hints = fields.flatMap(({ hint }) => hint ?? []);
	expect(hints.filter((hint) => hint.length > LONGEST_HINT)).toEqual([]);
	expect(hints.length).toBeGreaterThan(5);
});

it.each([actionCodex, triggerCodex, pollingCodex])('valid-node-categories: $node', (codex) => {
	expect(codex.categories).not.toEqual([]);
	expect(codex.categories.filter((category) => !CATEGORIES.includes(category))).toEqual([]);
	expect(codex).not.toHaveProperty('subcategories');
});

it('open-ended-node-fields', () => {
	const open = topLevel.filter(({ type, required }) => type === 'json' && required !== true);
	expect(open).toEqual([]);
	expect(fields.filter(({ type }) => type === 'json')).not.toEqual([]);
});

it('no-asterisk-in-option-names', () => {
	expect(offers.flat().filter(({ name }) => name.includes('*'))).toEqual([]);
});

it('no-duplicate-param-options', () => {
	const doubled = offers.filter((options) =>
		(['name', 'value'] as const).some(
			(key) => new Set(options.map((option) => option[key])).size < options.length,
		),
	);
	expect(doubled).toEqual([]);
	expect(offers.length).toBeGreaterThan(20);
});

it('non-required-fields-in-collection', () => {
	const inner = fields
		.filter(({ type }) => type === 'collection')
		.flatMap(({ options }) => options as INodeProperties[]);
	expect(inner.filter(({ required }) => required)).toEqual([]);
	expect(inner.length).toBeGreaterThan(20);
});
