import fc from 'fast-check';
import { readInput } from '../../nodes/CommunityPlatform/input/readInput.ts';
import { optionsField } from '../../nodes/CommunityPlatform/resources/common.ts';

const read = (value: unknown) => readInput((_name, fallback) => value ?? fallback, [optionsField]);

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
