import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { inputReader } from '../../nodes/CommunityPlatform/input/readInput.ts';
import { parametersOf } from '../../nodes/CommunityPlatform/input/parameter.ts';
import { email, hexColor, listOf, oneOf } from '../../nodes/CommunityPlatform/input/values.ts';
import { failureOf } from '../support/failures.mts';
import { rules, type Field } from '../../nodes/CommunityPlatform/input/field.ts';

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

function readItem(fields: Field[], given: unknown, { isTool = false, expressions = [''] } = {}) {
	const values = given as IDataObject;
	const expressed = Object.fromEntries(expressions.map((name) => [name, '={{ $json.x }}']));
	return inputReader(parametersOf(fields))({
		get: (name, fallback) => (name in values ? values[name] : fallback),
		saved: { ...(values as INodeParameters), ...expressed },
		isTool,
	});
}
const read = (...args: Parameters<typeof readItem>) => readItem(...args).input;
const refusal = (...args: Parameters<typeof readItem>) => failureOf(() => readItem(...args));

describe('where a value is sent', () => {
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

	it.each([[undefined], [null], [NaN], [''], [' \u200B\n']])('holding %p is asked for', (name) => {
		expect(refusal(fields, { name })).toEqual({
			reason: "The parameter 'Name' is empty",
			advice: "Give a value in 'Name'.",
		});
	});
});

describe('a collection', () => {
	const options = [
		string('about', sentAs('about')),
		string('icon', sentAs('icon')),
		string('private', { ...sentAs('private'), type: 'boolean', default: false }),
	];
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
});

describe('fields that the API never shows', () => {
	const hidden = (name: string, type: Field['type'] = 'string'): Field =>
		string(name, { ...sentAs(name), type, [rules]: { isNeverShown: true } });
	const names = ['lang', 'links'].map((name) => ({ name, value: name }));
	const without = string('withoutValue', {
		type: 'multiOptions',
		displayName: 'Without a Value',
		[rules]: { read: listOf(oneOf(names)) },
	});
	const fields = [collection('updateFields', [hidden('lang'), hidden('links', 'json'), without])];

	it('are not both given and without a value', () => {
		expect(refusal(fields, { updateFields: { lang: 'en', withoutValue: ['lang'] } })).toEqual({
			reason: "The parameter 'Lang' has a value and is chosen in 'Without a Value'",
			advice: "Leave it empty, or take it out of 'Without a Value'.",
		});
	});
});

describe('several parameters that cannot be used', () => {
	const color = string('color', { [rules]: { read: hexColor } });
	const mail = string('mail', { [rules]: { read: email } });
	const other: Field = { ...color, displayName: 'Other', name: 'other' };
	other.displayOptions = { show: { mail: ['a@b'] } };

	it('say nothing of one that they decide about', () => {
		expect(refusal([mail, other], { mail: 'none', other: 'red' }).advice).not.toContain('Other');
		expect(refusal([mail, other], { mail: 'a@b', other: 'red' }).advice).toContain('Other');
	});
});
