import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import { Failure, asFailure, toItemJson } from '../../nodes/shared/failure.ts';
import { outputMaker } from '../../nodes/shared/records/form.ts';
import * as recordTypes from '../../nodes/shared/records/types.ts';

const kinds = Object.entries(recordTypes);

describe.each(kinds)('a %s', (_, type) => {
	it('has a readable name for each code, and null for an unknown one', () => {
		const { simplified, codes = {} } = type;
		const shape = outputMaker(type, { simplified, includeEmptyFields: false });
		for (const [field, names] of Object.entries(simplified ? codes : {})) {
			for (const [code, name] of Object.entries(names)) {
				const nameOf = (value: unknown) =>
					shape({ [field]: value } as IDataObject)[`${field}_name`];
				expect(nameOf(Number(code))).toBe(name);
				// One answer contains a member's status as text (docs/api/README.md, "User").
				expect(nameOf(code)).toBe(name);
				expect([nameOf(77), nameOf(null), nameOf('toString'), nameOf('x')]).toEqual(
					Array(4).fill(null),
				);
			}
		}
	});
});

describe('a thrown value', () => {
	it('keeps its own text if it has one', () => {
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

	it.each([new TypeError('x'), { message: 'x' }])('always has advice: %j', (thrown) => {
		expect(asFailure(thrown)).toMatchObject({
			message: 'x',
			advice:
				"Check the expressions in the node's parameters, and the credential. If both are right, tell your n8n administrator the time, so that they can check the log of n8n.",
		});
	});

	it.each([{}, undefined, null, 'text', 5])('can be of any type: %j', (thrown) => {
		expect(asFailure(thrown).message).toBe('The node stopped for an unknown reason');
	});
});
