import fc from 'fast-check';
import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import { Failure, asFailure, toItemJson } from '../../nodes/shared/failure.ts';
import { outputMaker } from '../../nodes/shared/records/output.ts';
import * as recordTypes from '../../nodes/shared/records/types.ts';

const kinds = Object.entries(recordTypes);
const simple = { simplify: true, includeEmptyFields: false };

const RUNS = { numRuns: 25 };

describe.each(kinds)('a %s', (_, type) => {
	const records = fc.dictionary(
		fc.oneof(fc.constantFrom(...type.fields), fc.constantFrom('reputation', '__proto__')),
		fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
		{ noNullPrototype: true },
	) as fc.Arbitrary<IDataObject>;

	// A code is a number, also where the API gives it as text.
	const asShown = (field: string, value: unknown) => {
		const isCode = typeof value === 'string' && Object.hasOwn(type.codes?.[field] ?? {}, value);
		return isCode ? Number(value) : (value ?? null);
	};

	it('simplified has at most ten fields, always the same, null where there is no value', () => {
		const { simplified = type.fields } = type;
		expect(type.simplified?.length ?? 0).toBeLessThanOrEqual(10);
		fc.assert(
			fc.property(records, (record) => {
				const given = outputMaker(type, { ...simple, includeEmptyFields: true })(record);
				const own = Object.keys(given).filter((field) => !(field in record));
				if (type.simplified) expect(Object.keys(given)).toEqual([...type.simplified]);
				else expect(Object.keys(given)).toEqual(expect.arrayContaining([...type.fields]));
				for (const field of own.filter((name) => !name.endsWith('_name'))) {
					expect(given[field]).toBeNull();
				}
				for (const field of simplified.filter((name) => type.fields.includes(name))) {
					expect(given[field]).toEqual(asShown(field, record[field]));
				}
			}),
			RUNS,
		);
	});

	it('has a readable name for each code, and null for one that is not known', () => {
		for (const [field, names] of Object.entries((type.simplified && type.codes) ?? {})) {
			for (const [code, name] of Object.entries(names)) {
				const nameOf = (value: unknown) =>
					outputMaker(type, simple)({ [field]: value } as IDataObject)[`${field}_name`];
				expect(nameOf(Number(code))).toBe(name);
				// One answer gives the status of a user as text (docs/api/README.md, "User").
				expect(nameOf(code)).toBe(name);
				expect([nameOf(77), nameOf(null), nameOf('toString'), nameOf('x')]).toEqual(
					Array(4).fill(null),
				);
			}
		}
	});
});

describe('a thrown value', () => {
	it('keeps its own text where it has one', () => {
		const failure = new Failure('Reason', 'Advice.', { httpCode: 404, code: undefined });
		expect(asFailure(failure)).toBe(failure);
		expect(toItemJson(failure, { getNode: () => ({}) as never })).toStrictEqual({
			error: 'Reason',
			message: 'Advice.',
			details: { httpCode: 404 },
		});
		const node = { name: 'Community' } as never;
		const raised = new NodeOperationError(node, 'Theirs', { description: 'More of it' });
		expect(asFailure(raised)).toMatchObject({ message: 'Theirs', advice: 'More of it' });
	});

	it.each([new TypeError('x'), { message: 'x' }])('has advice in any case: %j', (thrown) => {
		expect(asFailure(thrown)).toMatchObject({
			message: 'x',
			advice: "Check the expressions in the node's parameters, and the credential.",
		});
	});

	it.each([{}, undefined, null, 'text', 5])('need not be an error: %j', (thrown) => {
		expect(asFailure(thrown).message).toBe('Something unexpected happened');
	});
});
