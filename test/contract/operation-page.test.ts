import { Ajv } from 'ajv';
import type { INodeProperties } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { operationPage } from '../../scripts/operation-page.mts';
import { checkedIn, schemaFile } from '../../scripts/schema-files.mts';
import { operationsOf, parametersOf } from '../support/description.mts';
import { readme } from '../support/examples.mts';
import { text } from '../support/shipped.mts';

const { properties } = new CommunityPlatform().description;
const labels = new Map(
	properties
		.filter(({ name }) => name === 'resource')
		.flatMap(({ options }) => options as Array<{ name: string; value: string }>)
		.map(({ name, value }) => [value, name]),
);
const page = text('docs/operations.md');
const operations = operationsOf(properties).map(({ key, resource, option }) => ({
	key,
	title: `${labels.get(resource)}: ${option.name}`,
	option,
}));
const ajv = new Ajv({ strictTypes: false, strictSchema: false });

it('the page of operations is up to date; npm run operation-page writes it', async () => {
	expect(page).toBe(await operationPage());
});

it('the README names every operation', () => {
	const named = [...readme().matchAll(/^\| (\w+) \| ([^|]+) \|$/gm)]
		.filter(([, resource]) => [...labels.values()].includes(resource))
		.flatMap(([, resource, list]) => list.split(', ').map((each) => `${resource}: ${each.trim()}`));
	expect(named).toEqual(operations.map(({ title }) => title));
});

describe.each(operations)('$title', ({ key, title, option }) => {
	const section = sectionOf(title);
	const shared = sectionOf('Shared parameters');

	it('says what it does and what it sends', () => {
		const { method, url } = option.routing?.request ?? {};
		expect(section).toContain(`${option.description}. \`${method} ${url as string}\``);
	});

	it.each(['node', 'tool'] as const)('has every parameter of the %s', (variant) => {
		const described = parametersOf(properties, key, variant)
			.filter(({ type }) => type !== 'notice')
			.flatMap((field) => namesOf(field));
		const missing = described.filter((name) => !`${section}${shared}`.includes(`\`${name}\``));
		expect(missing).toEqual([]);
	});

	it('shows an item as the editor announces it', () => {
		const [, example] = /```json\n([\s\S]+?)```/.exec(section) ?? [];
		const preview = JSON.parse(checkedIn().get(schemaFile(key)) ?? '{}');
		expect(example).toBeDefined();
		const item = JSON.parse(example);
		expect([ajv.validate(preview, item), ajv.errors]).toEqual([true, null]);
		const isSimplified = section.includes('Simplify');
		const announced = isSimplified ? Object.keys(preview.properties) : [];
		expect(Object.keys(item)).toEqual(expect.arrayContaining(announced));
	});
});

function sectionOf(title: string): string {
	const [, section = ''] = page.split(`\n### ${title}\n`);
	return section.split('\n### ')[0];
}

function namesOf({ name, type, options }: INodeProperties): string[] {
	if (type !== 'collection') return [name];
	return (options as INodeProperties[]).map((option) => `${name}.${option.name}`);
}
