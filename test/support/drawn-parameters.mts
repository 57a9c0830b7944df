import fc from 'fast-check';
import { ADA, GRACE } from './known.mts';

/** A parameter in the public contract, as far as its values are drawn from it. */
export interface Described {
	type: string;
	default?: unknown;
	required?: boolean;
	values?: unknown[];
	minValue?: number;
	maxValue?: number;
	/** Of a resource locator. */
	modes?: Record<string, object>;
	/** Of a collection. */
	options?: Record<string, Described>;
	/** Of a fixed collection. */
	groups?: Record<string, Record<string, Described>>;
	multipleValues?: boolean;
}

// Records that there are (known.mts), so that what is drawn reaches the API.
const KNOWN: Record<string, string[]> = {
	...{ boardId: ['900'], postId: ['9100'], commentId: ['9200'], replyId: ['9300'] },
	...{ tagId: ['9400'], tagIds: ['9400', '9400,9401'], roleId: ['10', '1'], refId: ['9100', ADA] },
	...{ userId: [ADA, '9002'], author: [ADA, 'me'], addMembers: [ADA, `${ADA}, ${GRACE}`] },
	...{ removeMembers: [GRACE], displayOrder: ['{"900": 1}'], email: ['ada@members.example'] },
};
const NAMES: Record<string, string[]> = { boardId: ['Insiders'], tagId: ['FirstSteps'] };
const TEXTS = ['', 'Hello', '<p>Grüße & Küsse</p>', '42', 'https://images.example/a.png'];
const MOST = 120;

/** Draws the parameters of an operation: those that it requires, and any of the others. */
export function drawn(
	parameters: Record<string, Described>,
): fc.Arbitrary<Record<string, unknown>> {
	const required = Object.keys(parameters).filter((name) => parameters[name].required);
	return recordOf(parameters, required);
}

function recordOf(
	described: Record<string, Described>,
	requiredKeys: string[] = [],
): fc.Arbitrary<Record<string, unknown>> {
	const values = Object.entries(described).map(([name, one]) => [name, valueOf(name, one)]);
	const model = Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>;
	return fc.record(model, { requiredKeys });
}

function valueOf(name: string, described: Described): fc.Arbitrary<unknown> {
	const { type, values = [], options = {}, groups = {}, modes = {} } = described;
	switch (type) {
		case 'boolean':
			return fc.boolean();
		case 'options':
			return fc.constantFrom(...values);
		case 'multiOptions':
			return fc.subarray(values);
		case 'number':
			return fc.integer({
				min: described.minValue ?? 0,
				max: Math.min(MOST, described.maxValue ?? MOST),
			});
		case 'collection':
			return recordOf(options);
		case 'fixedCollection':
			return fc.record(
				Object.fromEntries(
					Object.entries(groups).map(([group, fields]) => {
						const row = recordOf(fields, Object.keys(fields));
						return [group, fc.array(row, { minLength: 1, maxLength: 2 })];
					}),
				),
			);
		case 'resourceLocator':
			return fc.oneof(...Object.keys(modes).map((mode) => locatorOf(name, mode)));
		case 'color':
			return fc.constantFrom('', '#336699');
		case 'json':
			return fc.constantFrom(
				...(KNOWN[name] ?? ['{}', '{"network":"https://network.example/ada"}']),
			);
		default:
			return fc.constantFrom(...(KNOWN[name] ?? TEXTS));
	}
}

function locatorOf(name: string, mode: string): fc.Arbitrary<unknown> {
	const values = mode === 'name' ? (NAMES[name] ?? ['Nobody']) : (KNOWN[name] ?? ['1']);
	return fc.constantFrom(...values).map((value) => ({ __rl: true, mode, value }));
}
