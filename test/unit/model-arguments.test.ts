import { isAskedOfModel, asMeant } from '../../nodes/CommunityPlatform/send/modelArguments.ts';

const asked = "={{ $fromAI('title', 'The title', 'string') }}";

it.each([
	['left empty', { a: '', b: 'x', c: null }, { a: asked, b: asked, c: asked }, { b: 'x' }],
	['to be empty', { a: '""', b: '""' }, { a: asked, b: '""' }, { a: '', b: '""' }],
	['left empty in the way of the editor', { a: '' }, { a: `={{ /*…*/ ${asked.slice(4)}` }, {}],
	['given', { a: ' ', b: 0, c: false }, { a: asked, b: asked, c: asked }, 'same'],
	['not asked for', { a: '', b: '' }, { a: '', b: '={{ $json.b }}' }, 'same'],
	['of a group that is given as a whole', { a: '' }, asked, 'same'],
	['that stands alone', '', asked, 'same'],
	['in a list', [''], [asked], 'same'],
])('of what a model was asked for, what is %s', (_what, value, described, kept) => {
	const left = asMeant(value, described);
	if (kept === 'same') expect(left).toBe(value);
	else expect(left).toEqual(kept);
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
