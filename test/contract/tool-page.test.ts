import type { INodeProperties } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { toolPage } from '../../dev/scripts/tool-page.mts';
import { toolParameters } from '../../dev/scripts/tool-parameters.mts';
import { operationsOf, parametersOf } from '../support/description.mts';
import { text } from '../support/shipped.mts';

it('the tables of descriptions to paste are up to date; npm run tool-page writes them', () => {
	expect(text('docs/tools.md')).toBe(toolPage());
});

describe('What a model is told of a parameter', () => {
	const rows = toolParameters()
		.split('\n')
		.filter((line) => line.startsWith('|') && !/^\|(---| operations)/.test(line))
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.map(([, operations, parameter, told]) => ({ operations, parameter, told }));

	it('is there for every operation that needs anything', () => {
		const { properties } = new CommunityPlatform().description;
		const named = new Set(rows.flatMap(({ operations }) => operations.split(', ')));
		const labels = operationsOf(properties).map(({ option }) => option.name);
		expect(labels.filter((label) => !named.has(label))).toEqual(['Get Own Details']);
		expect(rows.length).toBeGreaterThan(60);
	});

	// A dropdown has no button, a notice asks for nothing, and rows are for the maker of the tool.
	it('is there only for what the editor has a button for', () => {
		const { properties } = new CommunityPlatform().description;
		const keys = operationsOf(properties).map(({ key }) => key);
		const shown = keys.flatMap((key) => parametersOf(properties, key, 'tool'));
		const inside = shown.flatMap((field) =>
			field.type === 'collection' ? (field.options as INodeProperties[]) : field,
		);
		const labels = (types: string[]) =>
			inside.filter(({ type }) => types.includes(type)).map(({ displayName }) => displayName);
		const named = new Set(rows.map(({ parameter }) => parameter.split(' → ').at(-1)));
		const without = labels(['options', 'multiOptions', 'notice', 'fixedCollection']);
		expect(without).toContain('Who Can Post');
		expect(without.filter((label) => named.has(label))).toEqual([]);
	});

	it.each(rows)('$operations, $parameter: $told', ({ parameter, told }) => {
		expect(told).not.toMatch(/\bexpression\b|undefined|\.\.|\.,|(?<!\\)</);
		// It stands in an expression between quotes.
		expect(told).not.toContain('`');
		const isUpdate = parameter.startsWith('Update Fields → ');
		if (isUpdate) expect(told).toMatch(/Empty text leaves it as it is\.$/);
		else expect(told).not.toContain('leaves it as it is');
	});
});
