import fc from 'fast-check';
import type { Field } from '../../nodes/CommunityPlatform/input/field.ts';
import { meaning } from '../../nodes/CommunityPlatform/input/field.ts';
import { inputReader } from '../../nodes/CommunityPlatform/input/readInput.ts';
import { text } from '../../nodes/CommunityPlatform/input/values.ts';
import { optionsFieldOf } from '../../nodes/CommunityPlatform/actions/options.ts';
import { get } from '../../nodes/CommunityPlatform/actions/tag/get.ts';

const reader = inputReader([optionsFieldOf(get)]);
const read = (value: unknown) => reader((_name, fallback) => value ?? fallback).input;

it('reads options that are an object, or JSON text of one, alike', () => {
	const options = fc.record(
		{ maxRetries: fc.nat(100), includeEmptyFields: fc.boolean() },
		{ requiredKeys: [], noNullPrototype: true },
	);
	fc.assert(
		fc.property(options, (given) => {
			expect(read(given).values).toEqual(given);
			expect(read(JSON.stringify(given)).values).toEqual(given);
		}),
	);
});

it('takes options that are not there for none', () => {
	expect(read(undefined).values).toEqual({});
});

it('refuses options that are anything else, by name', () => {
	const others = fc.oneof(
		fc.string().filter((text) => !text.includes('{')),
		fc.double(),
		fc.boolean(),
		fc.array(fc.jsonValue()),
	);
	fc.assert(
		fc.property(others, (value) => {
			expect(() => read(value)).toThrow(
				/^The parameter "Options" is not (valid JSON|a JSON object)$/,
			);
		}),
	);
});

describe('a parameter whose description says what is not supported is refused when it is loaded', () => {
	const field: Field = { displayName: 'Thing', name: 'thing', type: 'string', default: '' };
	const send = { type: 'body', property: 'thing' } as const;

	it.each<[string, Partial<Field>]>([
		['routing.send.value', { routing: { send: { ...send, value: '={{ $value }}' } } }],
		[
			'routing.send.propertyInDotNotation',
			{ routing: { send: { ...send, propertyInDotNotation: false } } },
		],
		['routing.send.preSend', { routing: { send: { ...send, preSend: [] } } }],
		['routing.output', { routing: { output: { postReceive: [] } } }],
		['routing.request', { routing: { request: { url: '/' } } }],
		['displayOptions.hide.other', { displayOptions: { hide: { other: [1] } } }],
		['displayOptions.hideOnCloud', { displayOptions: { hideOnCloud: true } }],
		[
			'the condition on "@version" in displayOptions.show',
			{ displayOptions: { show: { '@version': [{ _cnd: { gte: 2 } }] } } },
		],
		[
			'the condition on "/other" in displayOptions.show',
			{ displayOptions: { show: { '/other': [1] } } },
		],
		[
			'the condition on "other" in displayOptions.show',
			{ displayOptions: { show: { other: [{ _cnd: { gte: 1 } }] } } },
		],
		['typeOptions.multipleValues', { typeOptions: { multipleValues: true } }],
		['extractValue', { extractValue: { type: 'regex', regex: '.*' } }],
		['the type "dateTime" without a way to read it', { type: 'dateTime' }],
		['the type "number" without a way to read it', { type: 'number' }],
		['the type "resourceLocator" without a way to read it', { type: 'resourceLocator' }],
	])('%s', (feature, changes) => {
		const message = `The parameter "thing" has ${feature}, which is not supported here`;
		expect(() => inputReader([{ ...field, ...changes }])).toThrow(message);
		const collection: Field = { ...field, name: 'all', type: 'collection', default: {} };
		expect(() => inputReader([{ ...collection, options: [{ ...field, ...changes }] }])).toThrow(
			message,
		);
	});

	it('takes what has a way to be read of its own', () => {
		const own = {
			type: 'dateTime',
			typeOptions: { multipleValues: true },
			[meaning]: { read: text },
		} as const;
		const read = inputReader([{ ...field, ...own }]);
		expect(read(() => 'today').input.values).toEqual({ thing: 'today' });
	});
});
