import {
	argumentFor,
	asMeant,
	isAskedOfModel,
	isTool,
} from '../../nodes/CommunityPlatform/execute/modelArguments.ts';

const asked = "={{ $fromAI('title', 'The title', 'string') }}";

it.each([
	['left empty', { a: '', b: 'x' }, { a: asked, b: asked }, { b: 'x' }],
	['left empty in the way of the editor', { a: '' }, { a: `={{ /*…*/ ${asked.slice(4)}` }, {}],
	[
		'left out in another way',
		{ a: ' ', b: 0, c: false, d: null },
		{ a: asked, b: asked, c: asked, d: asked },
		{ b: 0, c: false },
	],
	['to be empty', { a: '""', b: '""' }, { a: asked, b: '""' }, { a: '', b: '""' }],
	['not asked for', { a: '', b: '' }, { a: '', b: '={{ $json.b }}' }, 'same'],
	['of a group that is given as a whole', { a: '' }, asked, 'same'],
	['that stands alone', '', asked, null],
	[
		'a locator in a group',
		{ a: { __rl: true, mode: 'id', value: '' } },
		{ a: { __rl: true, mode: 'id', value: asked } },
		{},
	],
	['in a list', [''], [asked], 'same'],
])('of what a model was asked for, what is %s', (_what, value, described, kept) => {
	expect(asMeant(value, described)).toEqual(kept === 'same' ? value : kept);
});

it.each([
	['an argument', asked, true],
	['one over several lines', "={{ $fromAI\n\t('title') }}", true],
	['a locator', { __rl: true, mode: 'id', value: asked }, true],
	['one of a group', { first: 'x', others: [{ second: asked }] }, true],
	['an expression of the workflow', '={{ $json.title }}', false],
	['nothing', undefined, false],
])('%s is asked of a model: %#', (_what, described, isAsked) => {
	expect(isAskedOfModel(described)).toBe(isAsked);
});

it.each([
	['alone', { title: asked }, 'title'],
	['in a group', { updateFields: { title: asked } }, 'title'],
	['in a locator', { title: { __rl: true, mode: 'id', value: asked } }, 'title'],
	['not at all', { title: 'x', other: asked }, undefined],
])('the argument for a parameter is found %s', (_where, parameters, expected) => {
	expect(argumentFor(parameters, 'title')).toBe(expected);
});

it.each([
	['n8n-nodes-community-platform.communityPlatformTool', true],
	['n8n-nodes-community-platform.communityPlatform', false],
])('%s is a tool: %p', (type, expected) => {
	expect(isTool({ type })).toBe(expected);
});
