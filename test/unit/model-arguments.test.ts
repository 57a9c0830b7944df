import {
	normalizeToolArgument,
	isAskedOfModel,
} from '../../nodes/CommunityPlatform/input/given.ts';

const asked = "={{ $fromAI('title', 'The title', 'string') }}";

it.each([
	['left empty', { a: '', b: 'x' }, { a: asked, b: asked }, { b: 'x' }],
	['no value', { a: null, b: 0, c: false }, { a: asked, b: asked, c: asked }, { b: 0, c: false }],
	['not asked for', { a: '', b: null }, { a: '', b: '={{ $json.b }}' }, 'same'],
	['of a collection that is given as a whole', { a: '' }, asked, 'same'],
	['alone', '', asked, null],
	[
		'a locator in a collection',
		{ a: { __rl: true, mode: 'id', value: '' } },
		{ a: { __rl: true, mode: 'id', value: asked } },
		{},
	],
	[
		'a locator, which may hold a name',
		{ __rl: true, mode: 'id', value: 'News' },
		{ __rl: true, mode: 'id', value: asked },
		{ __rl: true, mode: 'either', value: 'News' },
	],
])('of the arguments of a model, what is %s', (_what, value, saved, meant) => {
	expect(normalizeToolArgument(value, saved)).toEqual(meant === 'same' ? value : meant);
});

it.each([
	['an argument', asked, true],
	['one over several lines', "={{ $fromAI\n\t('title') }}", true],
	['one of a collection', { first: 'x', others: [{ second: asked }] }, true],
	['an expression of the workflow', '={{ $json.title }}', false],
	['nothing', undefined, false],
])('%s is asked of a model: %#', (_what, saved, isAsked) => {
	expect(isAskedOfModel(saved)).toBe(isAsked);
});
