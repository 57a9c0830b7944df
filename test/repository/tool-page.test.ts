import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { toolPage } from '../../dev/scripts/tool-page.mts';
import { toolParameters } from '../../dev/scripts/tool-parameters.mts';
import { operationsOf, parametersOf } from '../support/description.mts';
import { text } from '../support/shipped.mts';

it('the tables of descriptions to paste are up to date (update them with "npm run tool-page")', () => {
	expect(text('docs/tools.md')).toBe(toolPage());
});

describe('The description of a parameter for a model', () => {
	const rows = toolParameters()
		.split('\n')
		.filter((line) => line.startsWith('|') && !/^\|(---| operations)/.test(line))
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.map(([, operations, parameter, told]) => ({ operations, parameter, told }));

	it('exists for every operation with required parameters', () => {
		const { properties } = new CommunityPlatform().description;
		const named = new Set(rows.flatMap(({ operations }) => operations.split(', ')));
		const needing = operationsOf(properties).filter(({ key }) =>
			parametersOf(properties, key, 'tool').some(({ required }) => required),
		);
		expect(needing.length).toBeGreaterThan(0);
		expect(needing.filter(({ option }) => !named.has(option.name))).toEqual([]);
	});

	it('can be pasted into an expression, between quotes', () => {
		const broken = /\bexpression\b|undefined|\.\.|\.,|(?<!\\)<|`|\{\{/;
		expect(rows.filter(({ told }) => broken.test(told))).toEqual([]);
	});
});
