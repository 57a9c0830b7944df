import type { Field } from '../../nodes/CommunityPlatform/input/field.ts';
import { meaning } from '../../nodes/CommunityPlatform/input/field.ts';
import { ruleFor } from '../../nodes/CommunityPlatform/input/rules.ts';
import { requireSupported } from '../../nodes/CommunityPlatform/input/supported.ts';
import { listOf, text } from '../../nodes/CommunityPlatform/input/values.ts';

type Show = NonNullable<Field['displayOptions']>['show'];

const field: Field = { displayName: 'Thing', name: 'thing', type: 'string', default: '' };
const showing = (show: Show): Partial<Field> => ({ displayOptions: { show } });

function refusalOf(described: Field): unknown {
	try {
		requireSupported(described);
	} catch (error) {
		return error;
	}
	return 'Nothing was refused';
}

describe('the description of a parameter may have', () => {
	it.each<[string, Partial<Field>]>([
		['no more than it needs', {}],
		[
			'texts that only the editor shows',
			{ placeholder: 'e.g. Ada', hint: 'A name', description: 'Who it is', required: true },
		],
		['a hint for who builds workflows', { builderHint: { propertyHint: 'A name' } }],
		['a condition on another parameter', showing({ other: ['a', 1, true] })],
		['a condition on several parameters', showing({ a: [1], other_One: [2] })],
		['a condition on the use as a tool', showing({ '@tool': [true] })],
		['hiding where it is a tool', { displayOptions: { hide: { '@tool': [true] } } }],
		['a place in the body', { routing: { send: { type: 'body', property: 'a.b[0]' } } }],
		['a place in the query', { routing: { send: { type: 'query', property: 'a' } } }],
		['rows', { typeOptions: { rows: 4 } }],
		['bounds', { type: 'number', default: 1, typeOptions: { minValue: 1, maxValue: 200 } }],
		['options', { type: 'options', options: [{ name: 'A', value: 'a' }] }],
		[
			'modes, where it says itself how it is read',
			{ type: 'resourceLocator', modes: [], [meaning]: { read: text } },
		],
		['fields within it', { type: 'collection', default: {}, options: [field] }],
		['no fields within it yet', { type: 'collection', default: {} }],
	])('%s', (_what, changes) => {
		expect(() => requireSupported({ ...field, ...changes })).not.toThrow();
	});
});

describe('the description of a parameter may not have', () => {
	it.each<[string, string, Partial<Field>]>([
		['a path in a condition', 'the condition on "a.b"', showing({ 'a.b': [1] })],
		['a path from the root in a condition', 'the condition on "/a"', showing({ '/a': [1] })],
		['a path at the end of a condition', 'the condition on "a/"', showing({ 'a/': [1] })],
		[
			'a condition on the version of the node',
			'the condition on "@version"',
			showing({ '@version': [1] }),
		],
		[
			'a comparison beside plain values',
			'the condition on "a"',
			showing({ a: [1, { _cnd: { gte: 2 } }] }),
		],
		['a condition without values', 'the condition on "a"', showing({ a: undefined })],
		[
			'a bad condition behind that on the use as a tool',
			'the condition on "/a"',
			showing({ '@tool': [true], '/a': [1] }),
		],
		[
			'another condition that hides it, beside the one on tools',
			'displayOptions.hide.other',
			{ displayOptions: { hide: { '@tool': [true], other: [1] } } },
		],
		[
			'a condition of no known kind',
			'displayOptions.other',
			{ displayOptions: { other: {} } as Partial<Field>['displayOptions'] },
		],
		['a way to pass a password', 'typeOptions.password', { typeOptions: { password: true } }],
	])('%s', (_what, feature, changes) => {
		const refusal = refusalOf({ ...field, ...changes });
		expect(refusal).toBeInstanceOf(Error);
		const { message } = refusal as Error;
		expect(message).toContain(`The parameter "thing" has ${feature}`);
		expect(message).toMatch(/, which is not supported here$/);
	});

	it('fields within it that have something of the kind', () => {
		const inner: Field = { ...field, name: 'inner', ...showing({ '/a': [1] }) };
		expect(() =>
			requireSupported({ ...field, type: 'collection', options: [field, inner] }),
		).toThrow('The parameter "inner" has the condition on "/a" in displayOptions.show');
	});
});

describe('a parameter is read', () => {
	const readAs = (changes: Partial<Field>, value: unknown) =>
		ruleFor({ ...field, ...changes })?.(value, 'Thing');

	it.each<[string, Partial<Field>, unknown, unknown]>([
		['text', { type: 'string' }, 42, '42'],
		['yes or no', { type: 'boolean' }, 'True', true],
		['a number from its smallest', { type: 'number', typeOptions: { minValue: 3 } }, '3', 3],
		['a number from zero', { type: 'number', typeOptions: { minValue: 0 } }, 0, 0],
		['a color', { type: 'color' }, ' #330000', '#330000'],
		['an object', { type: 'json' }, '{ "a": 1 }', { a: 1 }],
		['one of its options', { type: 'options', options: [{ name: 'A', value: 5 }] }, '5', 5],
	])('as %s where its type says so', (_what, changes, value, expected) => {
		expect(readAs(changes, value)).toEqual(expected);
	});

	it('within the bounds that the editor has', () => {
		const bounds: Partial<Field> = { type: 'number', typeOptions: { minValue: 1, maxValue: 5 } };
		expect(readAs(bounds, 5)).toBe(5);
		for (const value of [0, 6]) {
			expect(() => readAs(bounds, value)).toThrow('The parameter "Thing" is out of range');
		}
	});

	it('as it says itself before its type is asked', () => {
		expect(readAs({ type: 'boolean', [meaning]: { read: listOf(text) } }, 'a,b')).toEqual([
			'a',
			'b',
		]);
	});

	it.each<Partial<Field>>([
		{ type: 'number' },
		{ type: 'number', typeOptions: { maxValue: 5 } },
		{ type: 'dateTime' },
		{ type: 'multiOptions', options: [{ name: 'A', value: 'a' }] },
		{ type: 'fixedCollection' },
		{ type: 'notice' },
	])('not at all where neither says how, as with %j', (changes) => {
		expect(ruleFor({ ...field, ...changes })).toBeUndefined();
	});
});
