import { given, type Asked } from '../../nodes/CommunityPlatform/input/given.ts';
import { rules, type Field } from '../../nodes/CommunityPlatform/input/field.ts';

const TEXT = { type: 'string' };
const REQUIRED = { type: 'string', [rules]: { requiredInUpdate: true } };
const NEVER_SHOWN = { type: 'json', [rules]: { isNeverShown: true } };
const ASKED_FOR = { type: 'string', required: true };
const SWITCH = { type: 'boolean' };
const COLOR = { type: 'color' };

const outcome = (place: Asked['place'], field: object, raw: unknown, asked: Partial<Asked> = {}) =>
	given({ field: field as Field, place, raw, isExpression: true, isTool: false, ...asked }).is;

// What of no value, of a blank cell, and of the "" of a model becomes.
it.each<[Asked['place'], object, nothing: string, blank: string, cleared: string]>([
	['parameter', TEXT, 'skipped', 'skipped', 'skipped'],
	['parameter', ASKED_FOR, 'refused', 'refused', 'missing'],
	['parameter', SWITCH, 'refused', 'refused', 'skipped'],
	['optional', TEXT, 'noted', 'skipped', 'skipped'],
	['optional', SWITCH, 'noted', 'noted', 'noted'],
	['optional', COLOR, 'noted', 'noted', 'noted'],
	['update', TEXT, 'noted', 'cleared', 'cleared'],
	['update', REQUIRED, 'noted', 'noted', 'noted'],
	['update', NEVER_SHOWN, 'noted', 'skipped', 'cleared'],
	['update', SWITCH, 'noted', 'noted', 'noted'],
	['update', COLOR, 'noted', 'noted', 'noted'],
	['choice', TEXT, 'refused', 'refused', 'skipped'],
])('%s, %j: %s, %s, %s', (place, field, nothing, blank, cleared) => {
	for (const raw of [undefined, null, NaN]) expect(outcome(place, field, raw)).toBe(nothing);
	for (const raw of ['', ' \u200B\n']) expect(outcome(place, field, raw)).toBe(blank);
	expect(outcome(place, field, '""', { isTool: true })).toBe(cleared);
	expect(outcome(place, field, '""')).toBe('value');
});

it.each<[Asked['place'], object, outcome: string]>([
	['optional', SWITCH, 'skipped'],
	['update', TEXT, 'cleared'],
	['update', REQUIRED, 'skipped'],
	['update', SWITCH, 'skipped'],
	['choice', TEXT, 'skipped'],
])('as a tool, blank text of %s, %j: %s', (place, field, expected) => {
	expect(outcome(place, field, '', { isTool: true })).toBe(expected);
});

it.each([
	[TEXT, 'skipped'],
	[ASKED_FOR, 'missing'],
	[SWITCH, 'skipped'],
])('a parameter without an expression and a value, %j: %s', (field, expected) => {
	expect(outcome('parameter', field, null, { isExpression: false })).toBe(expected);
});
