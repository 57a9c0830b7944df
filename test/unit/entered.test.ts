import { enteredAs, type ResolvedParameter } from '../../nodes/CommunityPlatform/input/entered.ts';
import { rules, type Field } from '../../nodes/CommunityPlatform/actions/field.ts';

const TEXT = { type: 'string' };
const REQUIRED = { type: 'string', [rules]: { requiredInUpdate: true } };
const NEVER_SHOWN = { type: 'json', [rules]: { isNeverReturned: true } };
const ASKED_FOR = { type: 'string', required: true };
const SWITCH = { type: 'boolean' };
const COLOR = { type: 'color' };

const outcome = (
	place: ResolvedParameter['place'],
	field: object,
	raw: unknown,
	asked: Partial<ResolvedParameter> = {},
) =>
	enteredAs({ field: field as Field, place, raw, isExpression: true, isOfModel: false, ...asked })
		.is;

// The outcomes of a missing value, of a blank cell, and of a model's "".
it.each<[ResolvedParameter['place'], object, nothing: string, blank: string, cleared: string]>([
	['parameter', TEXT, 'ignored', 'ignored', 'ignored'],
	['parameter', ASKED_FOR, 'invalid', 'invalid', 'required'],
	['parameter', SWITCH, 'invalid', 'invalid', 'ignored'],
	['additionalField', TEXT, 'ignoredWithHint', 'ignored', 'ignored'],
	['additionalField', SWITCH, 'ignoredWithHint', 'ignoredWithHint', 'ignoredWithHint'],
	['additionalField', COLOR, 'ignoredWithHint', 'ignoredWithHint', 'ignoredWithHint'],
	['updateField', TEXT, 'ignoredWithHint', 'cleared', 'cleared'],
	['updateField', REQUIRED, 'ignoredWithHint', 'ignoredWithHint', 'ignoredWithHint'],
	['updateField', NEVER_SHOWN, 'ignoredWithHint', 'ignoredWithHint', 'cleared'],
	['updateField', SWITCH, 'ignoredWithHint', 'ignoredWithHint', 'ignoredWithHint'],
	['updateField', COLOR, 'ignoredWithHint', 'ignoredWithHint', 'ignoredWithHint'],
	['option', TEXT, 'invalid', 'invalid', 'ignored'],
])('%s, %j: missing is %s, blank is %s, "" is %s', (place, field, nothing, blank, cleared) => {
	for (const raw of [undefined, null, NaN]) expect(outcome(place, field, raw)).toBe(nothing);
	for (const raw of ['', ' \u200B\n']) expect(outcome(place, field, raw)).toBe(blank);
	expect(outcome(place, field, '""', { isOfModel: true })).toBe(cleared);
	expect(outcome(place, field, '""')).toBe('value');
});

it.each<[ResolvedParameter['place'], object, outcome: string]>([
	['additionalField', SWITCH, 'ignored'],
	['updateField', TEXT, 'ignored'],
	['updateField', REQUIRED, 'ignored'],
	['updateField', SWITCH, 'ignored'],
	['option', TEXT, 'ignored'],
])('as a tool, blank text or null of %s, %j is %s', (place, field, expected) => {
	for (const raw of ['', null])
		expect(outcome(place, field, raw, { isOfModel: true })).toBe(expected);
});

it.each([
	[TEXT, 'ignored'],
	[ASKED_FOR, 'required'],
	[SWITCH, 'ignored'],
])('a parameter without an expression or a value, %j is %s', (field, expected) => {
	expect(outcome('parameter', field, null, { isExpression: false })).toBe(expected);
});

it.each(['', {}, '{}'])(
	'a field to update that the API never returns, left empty (%j), is cleared',
	(raw) => {
		expect(outcome('updateField', NEVER_SHOWN, raw, { isExpression: false })).toBe('cleared');
		expect(outcome('updateField', NEVER_SHOWN, raw)).toBe('ignoredWithHint');
		expect(outcome('updateField', NEVER_SHOWN, raw, { isOfModel: true })).toBe('ignored');
	},
);
