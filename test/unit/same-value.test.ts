import { sameValue } from '../../nodes/CommunityPlatform/run/plan.ts';
import type { Field } from '../../nodes/CommunityPlatform/actions/field.ts';

const field = (type: Field['type'], values: Array<string | number> = []): Field => ({
	displayName: 'Thing',
	name: 'thing',
	type,
	default: '',
	options: values.map((value) => ({ name: String(value), value })),
});

it.each<[Field, unknown, unknown, boolean]>([
	[field('string'), ' a\r\nb ', 'a\nb', true],
	[field('string'), 'a\nb', 'a b', false],
	[field('string'), '', null, true],
	[field('string'), undefined, ' ', true],
	[field('string'), 'a', null, false],
	[field('string'), 42, '42', true],
	[field('color'), '#FFF', '#ffffff', true],
	[field('color'), '#ff0000', '#FF0000ff', true],
	[field('color'), '#abc8', '#aabbcc88', true],
	[field('color'), '#ff0000', '#ff000080', false],
	[field('boolean'), 'false', false, true],
	[field('boolean'), true, false, false],
	[field('options', [1, 5]), '5', 5, true],
	[field('options', [1, 5]), [3, 1], [1, 3, 1], true],
	[field('json'), { a: '1', b: null }, { b: '', a: 1 }, true],
	[field('json'), { a: 1 }, { a: 1, b: 2 }, false],
])('for %j, %j and %j are the same: %j', (parameter, a, b, isSame) => {
	expect(sameValue(parameter, a, b)).toBe(isSame);
	expect(sameValue(parameter, b, a)).toBe(isSame);
});
