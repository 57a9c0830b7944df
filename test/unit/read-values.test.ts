import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../../nodes/CommunityPlatform/input/field.ts';
import { meaning } from '../../nodes/CommunityPlatform/input/field.ts';
import type { Input } from '../../nodes/CommunityPlatform/input/input.ts';
import {
	GAVE_NOTHING,
	inputReader,
	resolvedInput,
} from '../../nodes/CommunityPlatform/input/readInput.ts';
import { authorMsid, namedId } from '../../nodes/CommunityPlatform/input/identifiers.ts';
import {
	addedAndRemoved,
	memberChanges,
} from '../../nodes/CommunityPlatform/actions/board/memberAccess.ts';
import {
	hexColor,
	email,
	jsonObject,
	listOf,
	text,
} from '../../nodes/CommunityPlatform/input/values.ts';
import { Failure } from '../../nodes/shared/transport/failure.ts';
import { failureOf } from '../support/failures.mts';

const string = (name: string, changes: Partial<Field> = {}): Field => ({
	displayName: name.charAt(0).toUpperCase() + name.slice(1),
	name,
	type: 'string',
	default: '',
	...changes,
});
const sentAs = (property: string, type: 'body' | 'query' = 'body'): Partial<Field> => ({
	routing: { send: { type, property } },
});
const collection = (name: string, options: Field[]): Field => ({
	displayName: 'Fields',
	name,
	type: 'collection',
	default: {},
	options,
});

function readOf(fields: Field[], given: IDataObject, expressions: string[] = []) {
	return inputReader(fields)(
		(name, fallback) => (name in given ? given[name] : fallback),
		(name) => expressions.includes(name),
	);
}

/** What is read where nothing has to be looked up. */
function read(fields: Field[], given: IDataObject, expressions: string[] = []): Input {
	const { input, pending } = readOf(fields, given, expressions);
	expect(pending).toEqual([]);
	return input;
}

/** With the same identifier for each reference. */
function resolved(unresolved: ReturnType<typeof readOf>, id: string): Input {
	const references = unresolved.pending.flatMap(({ value }) => value.references);
	return resolvedInput(unresolved, new Map(references.map((reference) => [reference, id])));
}

const NOTHING: Input = {
	values: {},
	labels: {},
	body: {},
	qs: {},
	sendLabels: {},
	identifiers: [],
	gaveNothing: [],
};

describe('what an operation is given', () => {
	it('is nothing where it has no parameters', () => {
		expect(read([], {})).toEqual(NOTHING);
	});

	it('passes over notices, which only the editor shows', () => {
		const notice = string('notice', { type: 'notice', ...sentAs('notice') });
		expect(read([notice], { notice: 'Look' })).toEqual(NOTHING);
	});

	it('goes into the body, the query or neither, as each parameter says', () => {
		const fields = [
			string('headline', sentAs('post_headline')),
			string('sort', sentAs('sort_by', 'query')),
			string('output'),
		];
		expect(read(fields, { headline: 'Hello', sort: 'name', output: 'raw' })).toEqual({
			...NOTHING,
			values: { headline: 'Hello', sort: 'name', output: 'raw' },
			labels: { headline: 'Headline', sort: 'Sort', output: 'Output' },
			body: { post_headline: 'Hello' },
			qs: { sort_by: 'name' },
			sendLabels: { post_headline: 'Headline', sort_by: 'Sort' },
		});
	});

	it('is read again for every item', () => {
		const reader = inputReader([
			string('id', { ...sentAs('id'), [meaning]: { isIdentifier: true } }),
		]);
		const first = reader(() => '1').input;
		const second = reader(() => '2').input;
		expect(first.body).toEqual({ id: '1' });
		expect(second.body).toEqual({ id: '2' });
		expect(second.identifiers).toEqual([{ label: 'Id', value: '2' }]);
	});

	it('names the record by what identifies it alone', () => {
		const fields = [
			{ ...string('post'), type: 'number', typeOptions: { minValue: 1 }, default: 1 } as Field,
			string('content'),
		];
		fields[0][meaning] = { isIdentifier: true };
		expect(read(fields, { post: 42, content: 'Hello' }).identifiers).toEqual([
			{ label: 'Post', value: '42' },
		]);
	});

	it('is read as the type of each parameter says', () => {
		const typed = (name: string, type: Field['type'], more: Partial<Field> = {}): Field =>
			string(name, { type, ...more });
		const fields = [
			typed('private', 'boolean'),
			typed('limit', 'number', { typeOptions: { minValue: 1, maxValue: 9 } }),
			typed('color', 'color'),
			typed('links', 'json'),
			typed('visible', 'options', { options: [{ name: 'All', value: 0 }] }),
		];
		const given = {
			private: 'TRUE',
			limit: '9',
			color: ' #fff ',
			links: '{ "github": "ada" }',
			visible: '0',
		};
		expect(read(fields, given).values).toEqual({
			private: true,
			limit: 9,
			color: '#fff',
			links: { github: 'ada' },
			visible: 0,
		});
		const refusedFor = (name: string, value: string) =>
			failureOf(() => read(fields, { [name]: value }));
		expect(refusedFor('private', 'yes').reason).toBe(
			'The parameter "Private" is neither true nor false',
		);
		expect(refusedFor('limit', '10').advice).toBe('Give a whole number from 1 to 9 in "Limit".');
		expect(refusedFor('color', 'red').reason).toBe('The parameter "Color" is not a hex color');
		expect(refusedFor('links', 'x').reason).toBe('The parameter "Links" is not valid JSON');
		expect(refusedFor('visible', '1').advice).toBe('Give one of these in "Visible": 0 (All).');
	});
});

it('refuses every value of a dropdown that offers none', () => {
	const field = string('status', { type: 'options' });
	expect(failureOf(() => read([field], { status: 'Open' })).reason).toBe(
		'The parameter "Status" has a value that is not offered',
	);
});

describe('a required parameter', () => {
	const fields = [string('name', { ...sentAs('name'), required: true })];

	it.each([[undefined], [null], [NaN], [''], [' '], ['\n\t']])(
		'that holds %j is asked for by name',
		(name) => {
			expect(failureOf(() => read(fields, { name }))).toEqual({
				reason: 'The parameter "Name" is empty',
				advice: 'Give a value in "Name".',
			});
		},
	);

	it('whose expression gave nothing has the expression named as the cause', () => {
		expect(failureOf(() => read(fields, { name: null }, ['name']))).toEqual({
			reason: 'The parameter "Name" is empty',
			advice: "The expression gave nothing. Check the field's name in the input.",
		});
		expect(failureOf(() => read(fields, { name: null }, ['other'])).advice).not.toBe(GAVE_NOTHING);
	});

	it('is required, too, where expressions cannot be told from values', () => {
		expect(failureOf(() => inputReader(fields)((_name, fallback) => fallback)).advice).toBe(
			'Give a value in "Name".',
		);
	});

	it.each([[0], [false]])('that holds %j is not empty', (name) => {
		expect(read(fields, { name }).body).toEqual({ name: String(name) });
	});

	it('that follows one which is left empty is asked for all the same', () => {
		expect(failureOf(() => read([string('other'), ...fields], {})).reason).toBe(
			'The parameter "Name" is empty',
		);
	});
});

describe('a parameter that is not required', () => {
	it.each([[undefined], [null], [NaN]])('is absent when it holds %j', (name) => {
		const { values, body, gaveNothing } = read([string('name', sentAs('name'))], { name });
		expect({ values, body, gaveNothing }).toEqual({ values: {}, body: {}, gaveNothing: [] });
	});

	it.each(['', '  '])('may be text of nothing but space, as in %j', (name) => {
		expect(read([string('name', sentAs('name'))], { name }).body).toEqual({ name });
	});

	it.each(['', '  '])('of another type is absent when it holds %j', (value) => {
		const limit = string('limit', { type: 'number', typeOptions: { minValue: 1 } });
		const color = string('color', { type: 'color' });
		expect(read([limit, color], { limit: value, color: value }).values).toEqual({});
	});
});

describe('a required parameter with a value for empty', () => {
	const author: Field = {
		...string('author', { ...sentAs('authors[0]'), type: 'resourceLocator', required: true }),
		[meaning]: { read: authorMsid, isIdentifier: true, whenEmpty: 'me' },
	};

	it.each([[undefined], [null], [''], [{ __rl: true, mode: 'id', value: '' }]])(
		'counts as its stand-in when it holds %j',
		(value) => {
			const unresolved = readOf([author], { author: value as IDataObject });
			expect(unresolved.pending.map((each) => each.value.references)).toEqual([[{ to: 'me' }]]);
			expect(resolved(unresolved, '1.owner').body).toEqual({ authors: ['1.owner'] });
		},
	);

	it('is refused all the same when its expression gave nothing', () => {
		expect(failureOf(() => read([author], { author: null }, ['author']))).toEqual({
			reason: 'The parameter "Author" is empty',
			advice: GAVE_NOTHING,
		});
	});

	it('is what was given, where something was', () => {
		const input = read([author], { author: { __rl: true, mode: 'id', value: '42.a1b2c3' } });
		expect(input.values).toEqual({ author: '42.a1b2c3' });
		expect(input.body).toEqual({ authors: ['42.a1b2c3'] });
		expect(input.identifiers).toEqual([{ label: 'Author', value: '42.a1b2c3' }]);
	});
});

describe('a record that is given by its name', () => {
	const board: Field = {
		...string('board', { ...sentAs('board_id'), type: 'resourceLocator', required: true }),
		[meaning]: { read: namedId('board', Number), isIdentifier: true },
	};
	const byName = { __rl: true, mode: 'name', value: ' News ' };

	it('is missing until its reference is resolved', () => {
		const unresolved = readOf([board], { board: byName });
		const { input, pending } = unresolved;
		expect(pending.map(({ value }) => value.references)).toEqual([
			[{ to: 'name', kind: 'board', name: 'News', label: 'Board' }],
		]);
		expect(input.values).toEqual({});
		expect(input.body).toEqual({});
		expect(input.identifiers).toEqual([]);
		expect(resolved(unresolved, '42')).toBe(input);
		expect(input.values).toEqual({ board: 42 });
		expect(input.body).toEqual({ board_id: 42 });
		expect(input.identifiers).toEqual([{ label: 'Board', value: '42' }]);
	});

	it('is known at once when it is given by its number', () => {
		const input = read([board], { board: { __rl: true, mode: 'id', value: '42' } });
		expect(input.body).toEqual({ board_id: 42 });
	});
});

describe('a parameter that is shown for values of another', () => {
	const fields = [
		string('way'),
		string('text', { required: true, displayOptions: { show: { way: ['text', 'both'] } } }),
		string('rows', {
			required: true,
			displayOptions: { show: { way: ['rows', 'both'], resource: ['board'] } },
		}),
	];

	it('is neither read nor asked for with any other', () => {
		expect(read(fields, { way: 'text', text: 'a', rows: 'b' }).values).toEqual({
			way: 'text',
			text: 'a',
		});
		expect(read(fields, { way: 'none' }).values).toEqual({ way: 'none' });
	});

	it('is read and asked for with one of them, whatever resource it belongs to', () => {
		expect(read(fields, { way: 'both', text: 'a', rows: 'b' }).values).toEqual({
			way: 'both',
			text: 'a',
			rows: 'b',
		});
		expect(failureOf(() => read(fields, { way: 'rows' })).reason).toBe(
			'The parameter "Rows" is empty',
		);
	});

	it('gives the field of the API that two of them send its label', () => {
		const two = [
			string('way'),
			string('first', { ...sentAs('order'), displayOptions: { show: { way: ['first'] } } }),
			string('second', { ...sentAs('order'), displayOptions: { show: { way: ['second'] } } }),
		];
		expect(read(two, { way: 'first', first: 'a' }).sendLabels).toEqual({ order: 'First' });
		expect(read(two, { way: 'second', second: 'b' }).sendLabels).toEqual({ order: 'Second' });
	});

	it('has to meet every condition', () => {
		const strict = [
			string('a'),
			string('b'),
			string('c', { displayOptions: { show: { a: ['1'], b: ['1'] } } }),
		];
		expect(read(strict, { a: '1', b: '2', c: 'x' }).values).toEqual({ a: '1', b: '2' });
		expect(read(strict, { a: '1', b: '1', c: 'x' }).values).toEqual({ a: '1', b: '1', c: 'x' });
	});
});

describe('a field with a path', () => {
	it('is sent below the keys that lead to it, beside others there', () => {
		const fields = [
			string('role', sentAs('data.role_id')),
			string('details', sentAs('data.details')),
			string('first', sentAs('authors[0]')),
			string('second', sentAs('authors[1]')),
			string('deep', sentAs('a.b10.c')),
		];
		const { body, sendLabels } = read(fields, {
			role: '7',
			details: 'because',
			first: 'x',
			second: 'y',
			deep: 'z',
		});
		expect(body).toEqual({
			data: { role_id: '7', details: 'because' },
			authors: ['x', 'y'],
			a: { b10: { c: 'z' } },
		});
		expect(sendLabels).toEqual({ data: 'Details', authors: 'Second', a: 'Deep' });
	});

	it('makes a list of whatever stands below a number, also one of several digits', () => {
		const { body } = read([string('far', sentAs('rows[10]'))], { far: 'x' });
		expect(body.rows).toBeInstanceOf(Array);
		expect(Object.entries(body.rows as object)).toEqual([['10', 'x']]);
		const mixed = read([string('odd', sentAs('rows.1st')), string('end', sentAs('ends.x1'))], {
			odd: 'x',
			end: 'y',
		});
		expect(mixed.body).toEqual({ rows: { '1st': 'x' }, ends: { x1: 'y' } });
		expect(mixed.body.rows).not.toBeInstanceOf(Array);
		expect(mixed.body.ends).not.toBeInstanceOf(Array);
	});
});

describe('two parameters that fill the same map', () => {
	const members = (name: string, hasAccess: boolean): Field => ({
		...string(name, sentAs('member_changes')),
		[meaning]: { read: memberChanges(hasAccess), givenTwice: addedAndRemoved },
	});
	const fields = [members('add', true), members('remove', false)];

	it('are sent as one', () => {
		expect(read(fields, { add: '1.a, 2.b', remove: '3.c' }).body).toEqual({
			member_changes: { '1.a': true, '2.b': true, '3.c': false },
		});
	});

	it('are refused when both have the same key', () => {
		expect(failureOf(() => read(fields, { add: '1.a, 2.b', remove: '3.c, 2.b' }))).toEqual({
			reason: 'The member 2.b is both added and removed',
			advice: 'Name each member in one place only: "Remove" has one that is named twice.',
		});
	});

	it('are refused in general words where neither has words of its own', () => {
		const maps = ['first', 'second'].map((name) =>
			string(name, { ...sentAs('thing'), type: 'json' }),
		);
		const given = { first: '{ "a": 1 }', second: '{ "a": 2 }' };
		expect(failureOf(() => read(maps, given))).toEqual({
			reason: 'The parameter "Second" gives "a" a second time',
			advice: 'Give "a" in one place only.',
		});
	});

	it('give way to the later one unless both are maps', () => {
		const map = string('map', { ...sentAs('thing'), type: 'json' });
		const plain = string('plain', sentAs('thing'));
		const given = { map: '{ "a": 1 }', plain: 'b' };
		expect(read([map, plain], given).body).toEqual({ thing: 'b' });
		expect(read([plain, map], given).body).toEqual({ thing: { a: 1 } });
	});
});

describe('a collection', () => {
	const options = [
		string('about', sentAs('about')),
		string('icon', sentAs('icon')),
		string('secret', { [meaning]: { read: listOf(text) } }),
	];

	it('labels the fields that it can send, given or not', () => {
		const { labels, sendLabels } = read([collection('additionalFields', options)], {});
		expect(labels).toEqual({ about: 'About', icon: 'Icon', secret: 'Secret' });
		expect(sendLabels).toEqual({ about: 'About', icon: 'Icon' });
	});

	it.each(['additionalFields', 'updateFields'])(
		'called %s gives what it holds, as an object or as the JSON text of one',
		(name) => {
			const fields = [collection(name, options)];
			const given = { about: 'Us', secret: 'a,b', unheardOf: 1 };
			for (const value of [given, JSON.stringify(given)]) {
				const input = read(fields, { [name]: value });
				expect(input.values).toEqual({ about: 'Us', secret: ['a', 'b'] });
				expect(input.body).toEqual({ about: 'Us' });
				expect(input.gaveNothing).toEqual([]);
			}
		},
	);

	it('shows its own names when it is no object', () => {
		const act = () => read([collection('additionalFields', options)], { additionalFields: 'Us' });
		expect(failureOf(act)).toEqual({
			reason: 'The parameter "Fields" is not valid JSON',
			advice: 'Give a JSON object in "Fields", e.g. { "about": …, "icon": …, "secret": … }.',
		});
	});

	it('for a new record takes empty text, and an expression that gave nothing, for not given', () => {
		const fields = [collection('additionalFields', options)];
		const additionalFields = { about: '', icon: null };
		const { values, body, gaveNothing } = read(fields, { additionalFields });
		expect({ values, body, gaveNothing }).toEqual({ values: {}, body: {}, gaveNothing: [] });
	});

	it('for an existing record clears a field with empty text', () => {
		const fields = [collection('updateFields', options)];
		const input = read(fields, { updateFields: { about: '' } });
		expect(input.body).toEqual({ about: '' });
		expect(input.gaveNothing).toEqual([]);
	});

	it.each([[null], [undefined], [NaN]])(
		'for an existing record names the field whose expression gave %j, and does not set it',
		(about) => {
			const fields = [collection('updateFields', options)];
			const input = read(fields, { updateFields: { about, icon: 'star' } });
			expect(input.body).toEqual({ icon: 'star' });
			expect(input.gaveNothing).toEqual(['About']);
		},
	);

	it('for an existing record does not clear what has to be filled', () => {
		const required = string('title', { ...sentAs('title'), required: true });
		const input = read([collection('updateFields', [required])], { updateFields: { title: '' } });
		expect(input.body).toEqual({});
		expect(input.gaveNothing).toEqual(['Title']);
	});
});

describe('several parameters that cannot be used', () => {
	const several = [
		string('color', { [meaning]: { read: hexColor } }),
		string('mail', { [meaning]: { read: email } }),
		string('other', { [meaning]: { read: hexColor }, displayOptions: { show: { mail: ['a@b'] } } }),
	];

	it('are told in one failure, each piece of advice once', () => {
		const act = () => read(several, { color: 'red', mail: 'none' });
		const alone = (name: string, value: string) =>
			failureOf(() => read(several, { [name]: value }));
		const [one, other] = [alone('color', 'red'), alone('mail', 'none')];
		expect(failureOf(act)).toEqual({
			reason: `${one.reason}. ${other.reason}`,
			advice: `${one.advice} ${other.advice}`,
		});
		const twice = () =>
			read([several[0], { ...several[0], name: 'again' }], { color: 'red', again: 'red' });
		expect(failureOf(twice)).toEqual(one);
	});

	it('say nothing of one that they decide about', () => {
		const named = (given: IDataObject) => failureOf(() => read(several, given)).reason;
		expect(named({ mail: 'none', other: 'red' })).not.toContain('"Other"');
		expect(named({ mail: 'a@b', other: 'red' })).toContain('"Other"');
	});

	it('leave a single one its own failure', () => {
		const own = new Failure('No such thing', 'Look again.', { httpCode: 404 });
		const field = string('thing', { [meaning]: { read: thrower(own) } });
		expect(() => read([field], { thing: 'a' })).toThrow(own);
	});

	it('do not hide what an expression throws', () => {
		const thrown = new TypeError('of n8n');
		const field = string('thing', { [meaning]: { read: thrower(thrown) } });
		expect(() => read([field, several[0]], { thing: 'a', color: 'red' })).toThrow(thrown);
	});
});

describe('a collection that a model is asked for as a whole', () => {
	const fields = [collection('updateFields', [string('about', sentAs('about'))])];
	const readAs = (argumentFor: Input['argumentFor'], given: unknown) =>
		inputReader(fields)(() => given, undefined, argumentFor).input;

	it('may be null', () => {
		const input = readAs(() => undefined, null);
		expect(input.body).toEqual({});
		expect(readAs(() => undefined, { about: 'Us' }).body).toEqual({ about: 'Us' });
	});

	it('may not be null for anyone else', () => {
		expect(() => readAs(undefined, null)).toThrow('The parameter "Fields" is not a JSON object');
	});
});

describe('a group of fields in a collection', () => {
	const without = {
		...string('without', { displayName: 'Without', type: 'multiOptions', default: [] }),
		options: ['about', 'icon'].map((name) => ({ name, value: name })),
	};
	const group: Field = {
		...string('all', { displayName: 'All', type: 'fixedCollection', default: {} }),
		options: [{ displayName: 'All', name: 'fields', values: [without] }],
		[meaning]: {
			read: jsonObject,
			group: { key: 'fields', without: 'without', cleared: { about: '', icon: '' } },
		},
	};
	const fields = [
		collection('updateFields', [
			string('about', sentAs('about')),
			string('icon', sentAs('icon')),
			group,
		]),
	];
	const all = (given: IDataObject) => ({ all: { fields: given } });

	it('gives each field that has a value, and clears each that is chosen', () => {
		const given = all({ icon: 'star', without: ['about'] });
		const { values, body } = read(fields, { updateFields: given });
		expect(values).toEqual({ about: '', icon: 'star' });
		expect(body).toEqual({ about: '', icon: 'star' });
	});

	it.each([
		['moon', '', { icon: 'moon' }],
		['', 'star', { icon: 'star' }],
		['star', 'star', { icon: 'star' }],
		['', '', {}],
	])(
		'with %p beside the group and %p in it gives the one that has a value',
		(icon, inGroup, sent) => {
			const { body } = read(fields, { updateFields: { icon, ...all({ icon: inGroup }) } });
			expect(body).toEqual(sent);
		},
	);

	it.each(['about, icon', '["about", "icon"]', ['icon', 'about']])('clears %p', (chosen) => {
		const { body } = read(fields, { updateFields: all({ without: chosen }) });
		expect(body).toEqual({ about: '', icon: '' });
	});

	it('refuses to clear a field that has a value, or an unknown one', () => {
		const refusal = (given: IDataObject) =>
			failureOf(() => read(fields, { updateFields: all(given) }));
		expect(refusal({ icon: 'star', without: ['icon'] })).toEqual({
			reason: 'The parameter "Icon" has a value and is chosen in "Without"',
			advice: 'Leave it empty, or take it out of "Without".',
		});
		expect(refusal({ without: ['moon'] })).toEqual({
			reason: 'The parameter "Without" has a value that is not offered',
			advice: 'Give one of these in "Without": about, icon.',
		});
	});

	it('refuses another value than what is given by itself', () => {
		const given = { icon: 'moon', ...all({ icon: 'star' }) };
		expect(failureOf(() => read(fields, { updateFields: given }))).toEqual({
			reason: 'The parameter "Icon" is given twice, by itself and under "All"',
			advice: 'Give "Icon" in one place only.',
		});
	});

	it('gives nothing where it was not added', () => {
		expect(read(fields, { updateFields: { icon: 'star' } }).body).toEqual({ icon: 'star' });
	});

	it('shows how it is given when it is no object', () => {
		expect(failureOf(() => read(fields, { updateFields: { all: 'no' } }))).toEqual({
			reason: 'The parameter "All" is not valid JSON',
			advice: 'Give a JSON object in "All", e.g. { "fields": { "about": …, "icon": … } }.',
		});
	});
});

function thrower(error: Error): () => never {
	return () => {
		throw error;
	};
}
