import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { bodyFieldsOf } from '../../nodes/CommunityPlatform/actions/operation.ts';
import { withKept } from '../../nodes/CommunityPlatform/execute/strategies/replace.ts';
import { openApi, operations, resolve } from '../../sandbox/openapi.mts';

interface BodySchema {
	properties: Record<string, object>;
	required?: string[];
}

/** What PUT takes, from the API's description rather than from the code under test. */
function bodyOf(operationId: string): BodySchema {
	const { path = '', method = '' } = operations.get(operationId) ?? {};
	const item = openApi.paths[path][method.toLowerCase() as 'put'] as {
		requestBody: { content: Record<string, { schema: object }> };
	};
	const { requestBody } = item;
	return resolve(
		(resolve(requestBody) as typeof requestBody).content['application/json'].schema,
	) as BodySchema;
}

const BOOLEANS = new Map([
	['1', true],
	['0', false],
	['true', true],
	['false', false],
]);

/** What an update sends of a value that was read, by the type that the API's description names. */
function inType(schema: object, value: unknown): unknown {
	const { type } = resolve(schema) as { type?: string };
	if (value === undefined || type === 'object') return value;
	if (type === 'string') return String(value);
	if (type === 'boolean') return BOOLEANS.get(String(value)) ?? value;
	return /^-?\d{1,15}$/.test(String(value)) ? Number(value) : value;
}

const fieldsOf = (kind: string) => {
	const { operations: all } = resources.find(({ value }) => value === kind) ?? { operations: [] };
	return bodyFieldsOf(all.find(({ value }) => value === 'update')?.fields ?? []);
};
const kinds = ['board', 'user', 'tag', 'post'].map(
	(kind) => [kind, fieldsOf(kind), `${kind}.update`] as const,
);
const kept = (kind: string, record: IDataObject, given: IDataObject = {}) =>
	withKept(given, fieldsOf(kind), record);
const values = fc.oneof(
	...[fc.string(), fc.integer(), fc.boolean(), fc.constantFrom(null, '0', '1', 'true', '-100')],
);

describe.each(kinds)('a %s that was read', (kind, sent, operationId) => {
	const { properties, required: requiredByApi } = bodyOf(operationId);
	const fields = Object.keys(properties);
	// Fields that are read under another name, or with another field, each with tests of its own below.
	const derived = { post: ['board_id', 'authors'], tag: ['name'] }[kind as 'post' | 'tag'] ?? [];
	const records = fc.dictionary(
		fc.oneof(fc.constantFrom(...fields), fc.constantFrom('post_count', 'created_at', 'unknown')),
		values,
		{ noNullPrototype: true },
	);

	it('is required to have what PUT requires', () => {
		const needed = sent.filter(({ isNeeded }) => isNeeded).map(({ field }) => field);
		expect(needed.sort()).toEqual([...(requiredByApi ?? [])].sort());
	});

	it('has a parameter for every field that PUT takes', () => {
		expect(sent.map(({ field }) => field).sort()).toEqual([...fields].sort());
	});

	it('keeps every field that PUT takes and that has a value, and nothing else', () => {
		fc.assert(
			fc.property(records, (record) => {
				const body = withKept({}, sent, record as IDataObject);
				for (const field of fields.filter((name) => !derived.includes(name))) {
					const value = inType(properties[field], record[field] ?? undefined);
					expect(body[field]).toEqual(value);
					expect(field in body).toBe(value !== undefined);
				}
				expect(Object.keys(body).filter((name) => !fields.includes(name))).toEqual([]);
			}),
		);
	});
});

describe('a post', () => {
	it('keeps its board as text and its author as the only one of a list', () => {
		const read = { board_id: 7, user: { msid: '42.a1', username: 'ada' } };
		expect(kept('post', read)).toEqual({ board_id: '7', authors: ['42.a1'] });
	});

	it.each([undefined, null, {}, { user_id: 42 }])('keeps no author from %j', (user) => {
		expect(kept('post', { user } as never)).toEqual({});
	});
});

describe('a tag', () => {
	it.each([
		[{ name: 'howto', display_name: 'HowTo' }, 'HowTo'],
		[{ name: 'howto', display_name: 'How To' }, 'How To'],
		[{ name: 'weeklyround-up', display_name: 'Weekly Round-Up' }, 'Weekly Round-Up'],
		[{ name: '#how_to', display_name: 'How To!' }, 'How To!'],
		[{ name: 'cafe', display_name: 'Café' }, 'Café'],
		[{ name: 'café', display_name: 'Cafe\u0301 ❤️' }, 'Cafe\u0301 ❤️'],
		[{ name: '🎉', display_name: '🎉' }, '🎉'],
		[{ name: 'howto' }, 'howto'],
		[{ name: 'howto', display_name: null }, 'howto'],
		[{ name: 'howto', display_name: '' }, 'howto'],
	])('keeps the spelling of its name: %j', (read, name) => {
		expect(kept('tag', read)).toEqual({ name });
	});

	it.each([
		['howto', 'How-to guides 2024'],
		['howto', 'How'],
		['café', 'Cafe'],
		['strasse', 'Straße'],
		['rand-d', 'R&D'],
		['🎉', '🎈'],
		['party', '🎉'],
		['की', 'का'],
	])('says so when its name %j cannot come from %j', (name, display_name) => {
		expect(() => kept('tag', { name, display_name })).toThrow(
			expect.objectContaining({
				message: `It is not clear what to send as the tag's name: it is stored as "${name}" and shown as "${display_name}"`,
				advice: 'Give the tag a "Name" under "Update Fields": the API makes both from it.',
			}),
		);
	});

	it('asks nothing of a name that is given', () => {
		const read = { name: 'rand-d', display_name: 'R&D' };
		expect(kept('tag', read, { name: 'R and D' })).toEqual({ name: 'R and D' });
	});

	it('leaves a name that the API does not show to the user', () => {
		expect(kept('tag', { display_name: 'HowTo' })).toEqual({});
	});
});
