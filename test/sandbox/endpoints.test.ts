import { operations, undocumented } from '../../sandbox/openapi.mts';
import { wireCases } from '../support/wire/cases.mts';
import { useBareSandbox } from '../support/community.mts';
import { addKnownRecords } from '../support/known-records.mts';
import { call, type CallOptions } from './support.mts';

const sandbox = useBareSandbox();
const exercised = new Set<string>();

/** Sends a request, expects a documented success, and returns the answer's body. */
async function use(operationId: string, path: string, options: CallOptions = {}) {
	exercised.add(operationId);
	const method = operations.get(operationId)?.method ?? '';
	const answer = await call(sandbox, method, path, options);
	expect(undocumented(operationId, answer)).toEqual([]);
	expect(answer.status).toBeLessThan(300);
	return answer.data;
}

describe("the node's requests are answered as documented", () => {
	const cases = wireCases.filter(({ operation }) => operations.has(operation));

	it.each(cases)('$operation: $title', async ({ operation, arrange, expectedRequests }) => {
		addKnownRecords(sandbox);
		arrange?.(sandbox);
		// Earlier requests look up names or read the values to keep.
		const [method, url, body] = expectedRequests[expectedRequests.length - 1];
		expect(method).toBe(operations.get(operation)?.method);
		await use(operation, url, { body });
	});
});

// Last in the file, because the tests above use the operations.
it('has used every documented operation', () => {
	expect([...exercised].sort()).toEqual([...operations.keys()].sort());
});
