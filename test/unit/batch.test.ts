import type { IExecuteFunctions } from 'n8n-workflow';
import { inputReader } from '../../nodes/CommunityPlatform/input/readInput';
import type { Operation } from '../../nodes/CommunityPlatform/actions/operation';
import { runItems } from '../../nodes/CommunityPlatform/execute/runItems';
import { requestMaker } from '../../nodes/CommunityPlatform/execute/requestMaker';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const operation: Operation = {
	name: 'Count',
	value: 'count',
	action: 'Count',
	description: 'Count the items',
	request: { method: 'GET', url: '/users' },
	strategy: 'one',
	fields: [{ displayName: 'Number', name: 'number', type: 'string', default: '' }],
};

/** A run of a number of items; each begins, and ends on demand. */
function runOf(count: number, requestOptions: object = {}) {
	const begun: number[] = [];
	const ends: Array<() => void> = [];
	const functions = {
		continueOnFail: () => false,
		getExecutionCancelSignal: () => undefined,
		getNode: () => ({ name: 'Community' }),
		getCredentials: async () => ({ baseUrl: 'https://community.example.com' }),
		logger: { info: () => {} },
	} as unknown as IExecuteFunctions;
	const items = Array.from({ length: count }, (_, index) => index);
	const running = runItems(
		{
			functions,
			items,
			isExpression: () => false,
			parameter: (name, item, fallback) => {
				if (name === 'requestOptions') return requestOptions;
				return name === 'number' ? String(item) : fallback;
			},
		},
		{
			operation,
			read: inputReader(operation.fields),
			toRequest: requestMaker(operation),
			strategy: {
				async send({ input }) {
					begun.push(Number(input.values.number));
					await new Promise<void>((resolve) => ends.push(resolve));
					return [{ number: input.values.number as string }];
				},
			},
		},
	);
	return { running, begun, ends };
}

const first = (count: number) => Array.from({ length: count }, (_, index) => index);

it('spaces items as n8n does: so many, then a pause', async () => {
	const batching = { batch: { batchSize: 2, batchInterval: 1000 } };
	const { begun } = runOf(5, { batching });
	await jest.advanceTimersByTimeAsync(999);
	expect(begun).toEqual(first(2));
	await jest.advanceTimersByTimeAsync(1);
	expect(begun).toEqual(first(4));
	await jest.advanceTimersByTimeAsync(1000);
	expect(begun).toEqual(first(5));
});

it('has at most 500 items under way, and begins the next when one ends', async () => {
	const { running, begun, ends } = runOf(1200);
	await jest.advanceTimersByTimeAsync(1000);
	expect(begun).toEqual(first(500));
	ends[3]();
	await jest.advanceTimersByTimeAsync(1000);
	expect(begun).toEqual(first(501));
	for (let ended = 0; begun.length < 1200 || ended < begun.length; ended++) {
		ends[ended]();
		await jest.advanceTimersByTimeAsync(0);
	}
	expect((await running).map(({ json }) => Number(json.number))).toEqual(first(1200));
});
