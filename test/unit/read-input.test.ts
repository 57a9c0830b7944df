import type { INodeParameters } from 'n8n-workflow';
import type { Field } from '../../nodes/CommunityPlatform/actions/operation.ts';
import { own } from '../../nodes/CommunityPlatform/actions/operation.ts';
import { memberMsid, namedId } from '../../nodes/CommunityPlatform/input/identifiers.ts';
import { inputReader, parametersOf } from '../../nodes/CommunityPlatform/input/readInput.ts';
import { email, hexColor, listOf, oneOf } from '../../nodes/CommunityPlatform/input/values.ts';
import { failureOf } from '../support/failures.mts';

const string = (name: string, changes: Partial<Field> = {}): Field => ({
	displayName: name.charAt(0).toUpperCase() + name.slice(1),
	...{ name, type: 'string', default: '', ...changes },
});
const sentAs = (property: string, type: 'body' | 'query' = 'body'): Partial<Field> => ({
	routing: { send: { type, property } },
});
const collection = (name: string, options: Field[]): Field => ({
	...{ displayName: 'Fields', name, type: 'collection', default: {}, options },
});

function readItem(fields: Field[], given: unknown, { isTool = false, expressions = [''] } = {}) {
	const values = given as INodeParameters;
	const get = (name: string, fallback: unknown) => (name in values ? values[name] : fallback);
	const saved = { ...values };
	for (const name of expressions) saved[name] = '={{ $json.it }}';
	return inputReader(parametersOf(fields))({ get, saved, isTool });
}
const read = (...args: Parameters<typeof readItem>) => readItem(...args).input;
const refusal = (...args: Parameters<typeof readItem>) => failureOf(() => readItem(...args));

describe('where a value is sent', () => {
	it('is the body, the query or nowhere, as its parameter says', () => {
		const fields = [
			string('headline', sentAs('post_headline')),
			string('sort', sentAs('sort_by', 'query')),
			string('output'),
		];
		const input = read(fields, { headline: 'Hello', sort: 'name', output: 'raw' });
		expect(input.values).toEqual({ headline: 'Hello', sort: 'name', output: 'raw' });
		expect(input.body).toEqual({ post_headline: 'Hello' });
		expect(input.qs).toEqual({ sort_by: 'name' });
		expect(input.sendLabels).toEqual({ post_headline: 'Headline', sort_by: 'Sort' });
	});

	it('can be below other keys, or in a list', () => {
		const fields = [
			string('role', sentAs('data.role_id')),
			string('first', sentAs('authors[0]')),
			string('second', sentAs('authors[1]')),
		];
		const input = read(fields, { role: '7', first: 'x', second: 'y' });
		expect(input.body).toEqual({ data: { role_id: '7' }, authors: ['x', 'y'] });
		expect(input.sendLabels).toEqual({ role_id: 'Role', authors: 'Second' });
	});

	it('can be one map for two parameters, unless both have the same key', () => {
		const maps = ['first', 'second'].map((name) =>
			string(name, { ...sentAs('thing'), type: 'json' }),
		);
		expect(read(maps, { first: '{ "a": 1 }', second: { b: 2 } }).body).toEqual({
			thing: { a: 1, b: 2 },
		});
		const labelOf = (given: object) => read(maps, given).sendLabels.thing;
		expect(labelOf({ first: { a: 1 }, second: {} })).toBe('First');
		expect(labelOf({ first: {}, second: { a: 1 } })).toBe('Second');
		expect(refusal(maps, { first: { a: 1 }, second: { a: 2 } })).toEqual({
			reason: 'The parameter \'Second\' gives "a" a second time',
			advice: 'Give "a" in one place only.',
		});
	});
});

describe('a required parameter', () => {
	const fields = [string('name', { ...sentAs('name'), required: true })];

	it.each([[undefined], [null], [NaN], [''], [' \u200B\n']])(
		'that holds %p is asked for by name',
		(name) => {
			expect(refusal(fields, { name })).toEqual({
				reason: "The parameter 'Name' is empty",
				advice: "Give a value in 'Name'.",
			});
		},
	);

	it('whose expression gave nothing has the expression named as the cause', () => {
		expect(refusal(fields, { name: undefined }, { expressions: ['name'] }).advice).toBe(
			"The expression gave nothing. Check the field's name in the input.",
		);
	});

	it.each([[null], [''], [NaN]])('whose field is there and holds %p is empty', (name) => {
		expect(refusal(fields, { name }, { expressions: ['name'] })).toEqual({
			reason: "The parameter 'Name' is empty in this item",
			advice: 'Fill in the field in the input, or leave this item out.',
		});
	});

	it('has a value for empty, if there is one, but not where its expression gave nothing', async () => {
		const author: Field = {
			...string('author', { ...sentAs('authors[0]'), required: true }),
			[own]: { read: memberMsid, isIdentifier: true, defaultTo: 'me' },
		};
		const { input, lookUps } = readItem([author], { author: '' });
		for (const lookUp of lookUps) await lookUp(async ({ by, text }) => `msid of ${by} ${text}`);
		expect(input.body).toEqual({ authors: ['msid of id me'] });
		expect(refusal([author], { author: '' }, { expressions: ['author'] }).reason).toBe(
			"The parameter 'Author' is empty in this item",
		);
	});
});

it('what only the API knows is missing until it was looked up', async () => {
	const board: Field = {
		...string('board', { ...sentAs('board_id'), type: 'resourceLocator', required: true }),
		[own]: { read: namedId('board', Number), isIdentifier: true },
	};
	const { input, lookUps } = readItem([board], {
		board: { __rl: true, mode: 'name', value: ' News ' },
	});
	expect(input.values).toEqual({});
	const asked: unknown[] = [];
	for (const lookUp of lookUps) {
		await lookUp(async (reference) => {
			asked.push(reference);
			return '42';
		});
	}
	expect(asked).toEqual([{ kind: 'board', by: 'name', text: 'News', label: 'Board' }]);
	expect(input.body).toEqual({ board_id: 42 });
	expect(input.identifiers).toEqual([{ label: 'Board', value: '42' }]);
});

it('what was picked from a list is known by its name, and an identifier alone by its value', () => {
	const [picked, typed] = ['board', 'post'].map((name) =>
		string(name, { [own]: { isIdentifier: true } }),
	);
	const locator = { __rl: true, value: '42', cachedResultName: 'News' };
	const given = {
		board: { ...locator, mode: 'list' },
		post: { ...locator, mode: 'id' },
		note: 'x',
	};
	const input = read([picked, typed, string('note')], given);
	expect(input.identifiers).toEqual([
		{ label: 'Board', value: '42', picked: 'News' },
		{ label: 'Post', value: '42' },
	]);
	expect(input.labels).toEqual({ board: 'Board', post: 'Post', note: 'Note' });
	const unnamed = { board: { ...locator, mode: 'list', cachedResultName: 7 } };
	expect(read([picked], unnamed).identifiers).toEqual([{ label: 'Board', value: '42' }]);
});

it('a notice has no value', () => {
	const fields = [string('way'), string('notice', { type: 'notice' })];
	expect(read(fields, { way: 'a', notice: 'b' }).values).toEqual({ way: 'a' });
});

describe('a parameter that is shown for values of another', () => {
	const fields = [
		string('way'),
		string('text', { required: true, displayOptions: { show: { way: ['text', 'both'] } } }),
		string('rows', { required: true, displayOptions: { show: { way: ['rows', 'both'] } } }),
	];

	it('is neither read nor asked for with any other', () => {
		const given = { way: 'text', text: 'a', rows: 'b' };
		expect(read(fields, given).values).toEqual({ way: 'text', text: 'a' });
		expect(read(fields, { way: 'none' }).values).toEqual({ way: 'none' });
		expect(refusal(fields, { way: 'rows' }).reason).toBe("The parameter 'Rows' is empty");
	});
});

describe('a collection', () => {
	const options = [
		string('about', sentAs('about')),
		string('icon', sentAs('icon')),
		string('private', { ...sentAs('private'), type: 'boolean', default: false }),
	];
	const additional = [collection('additionalFields', options)];
	const update = [collection('updateFields', options)];

	it('can be an object, or the JSON text of one, and nothing else', () => {
		const given = { about: 'Us' };
		for (const updateFields of [given, JSON.stringify(given)]) {
			expect(read(update, { updateFields }).body).toEqual({ about: 'Us' });
		}
		for (const updateFields of ['Us', null, [1]]) {
			expect(refusal(update, { updateFields }).advice).toBe(
				'Give a JSON object in \'Fields\', e.g. { "about": …, "icon": …, "private": … }.',
			);
		}
		expect(read(update, { updateFields: null }, { isTool: true }).body).toEqual({});
	});

	it('has no fields but its own where it is given as a whole', () => {
		const given = { about: 'Us', headline: 'x' };
		expect(refusal(update, { updateFields: JSON.stringify(given) })).toEqual({
			reason: "The parameter 'Fields' has no field 'headline'",
			advice: 'These are there: about, icon, private.',
		});
		// The editor keeps what was set for another operation.
		expect(read(update, { updateFields: given }).body).toEqual({ about: 'Us' });
	});

	it('for a new record has empty text, and what gave nothing, for not given', () => {
		const input = read(additional, { additionalFields: { about: '', icon: null } });
		expect(input.body).toEqual({});
		expect(input.gaveNothing).toEqual(['Icon']);
	});

	it('for an existing record clears a field with empty text, and names what gave nothing', () => {
		const updateFields = { about: '', icon: null, private: '' };
		const input = read(update, { updateFields });
		expect(input.body).toEqual({ about: '' });
		expect(input.gaveNothing).toEqual(['Icon', 'Private']);
	});

	it('takes two quotation marks of a model for empty', () => {
		expect(read(update, { updateFields: { about: '""' } }, { isTool: true }).body).toEqual({
			about: '',
		});
		expect(read(update, { updateFields: { about: '""' } }).body).toEqual({ about: '""' });
	});
});

describe('fields that the API never shows', () => {
	const hidden = (name: string, type: Field['type'] = 'string'): Field =>
		string(name, { ...sentAs(name), type, [own]: { isNeverShown: true } });
	const names = ['lang', 'links'].map((name) => ({ name, value: name }));
	const without = string('withoutValue', {
		type: 'multiOptions',
		displayName: 'Without a Value',
		[own]: { read: listOf(oneOf(names)) },
	});
	const fields = [collection('updateFields', [hidden('lang'), hidden('links', 'json'), without])];

	it.each([
		[{ lang: '', links: '{}' }, {}],
		[{ lang: 'en' }, { lang: 'en' }],
		[
			{ lang: '', withoutValue: ['lang', 'links'] },
			{ lang: '', links: {} },
		],
		[
			{ lang: 'en', withoutValue: 'links' },
			{ lang: 'en', links: {} },
		],
	])('given as %j are sent as %j', (updateFields, body) => {
		expect(read(fields, { updateFields }).body).toEqual(body);
	});

	it('are not both given and without a value', () => {
		expect(refusal(fields, { updateFields: { lang: 'en', withoutValue: ['lang'] } })).toEqual({
			reason: "The parameter 'Lang' has a value and is chosen in 'Without a Value'",
			advice: "Leave it empty, or take it out of 'Without a Value'.",
		});
	});

	it('are cleared by a model with two quotation marks, or an empty object', () => {
		expect(read(fields, { updateFields: { lang: '""' } }, { isTool: true }).body).toEqual({
			lang: '',
		});
		expect(read(fields, { updateFields: { links: '{}' } }, { isTool: true }).body).toEqual({
			links: {},
		});
	});
});

describe('several parameters that cannot be used', () => {
	const color = string('color', { [own]: { read: hexColor } });
	const mail = string('mail', { [own]: { read: email } });
	const other: Field = { ...color, displayName: 'Other', name: 'other' };
	other.displayOptions = { show: { mail: ['a@b'] } };

	it('are told in one failure', () => {
		const { reason, advice } = refusal([color, mail], { color: 'red', mail: 'none' });
		expect(reason).toBe("'red' is not a hex color. 'none' is not an email address");
		expect(advice).toBe(
			"Give a color such as #330000 in 'Color'. Give an address such as ada@example.com in 'Mail'.",
		);
	});

	it('say nothing of one that they decide about', () => {
		expect(refusal([mail, other], { mail: 'none', other: 'red' }).advice).not.toContain('Other');
		expect(refusal([mail, other], { mail: 'a@b', other: 'red' }).advice).toContain('Other');
	});

	it('do not hide what an expression throws', () => {
		const thrown = new TypeError('of n8n');
		const get = () => {
			throw thrown;
		};
		const parameters = { get, saved: {}, isTool: false };
		expect(() => inputReader(parametersOf([color]))(parameters)).toThrow(thrown);
	});
});
