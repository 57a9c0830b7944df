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
	['parameter', TEXT, 'skipped', 'skipped', 'skipped'],
	['parameter', ASKED_FOR, 'refused', 'refused', 'missing'],
	['parameter', SWITCH, 'refused', 'refused', 'skipped'],
	['additionalField', TEXT, 'noted', 'skipped', 'skipped'],
	['additionalField', SWITCH, 'noted', 'noted', 'noted'],
	['additionalField', COLOR, 'noted', 'noted', 'noted'],
	['updateField', TEXT, 'noted', 'cleared', 'cleared'],
	['updateField', REQUIRED, 'noted', 'noted', 'noted'],
	['updateField', NEVER_SHOWN, 'noted', 'noted', 'cleared'],
	['updateField', SWITCH, 'noted', 'noted', 'noted'],
	['updateField', COLOR, 'noted', 'noted', 'noted'],
	['option', TEXT, 'refused', 'refused', 'skipped'],
])('%s, %j: missing is %s, blank is %s, "" is %s', (place, field, nothing, blank, cleared) => {
	for (const raw of [undefined, null, NaN]) expect(outcome(place, field, raw)).toBe(nothing);
	for (const raw of ['', ' \u200B\n']) expect(outcome(place, field, raw)).toBe(blank);
	expect(outcome(place, field, '""', { isOfModel: true })).toBe(cleared);
	expect(outcome(place, field, '""')).toBe('value');
});

it.each<[ResolvedParameter['place'], object, outcome: string]>([
	['additionalField', SWITCH, 'skipped'],
	['updateField', TEXT, 'skipped'],
	['updateField', REQUIRED, 'skipped'],
	['updateField', SWITCH, 'skipped'],
	['option', TEXT, 'skipped'],
])('as a tool, blank text or null of %s, %j is %s', (place, field, expected) => {
	for (const raw of ['', null])
		expect(outcome(place, field, raw, { isOfModel: true })).toBe(expected);
});

it.each([
	[TEXT, 'skipped'],
	[ASKED_FOR, 'missing'],
	[SWITCH, 'skipped'],
])('a parameter without an expression or a value, %j is %s', (field, expected) => {
	expect(outcome('parameter', field, null, { isExpression: false })).toBe(expected);
});

it.each(['', {}, '{}'])(
	'a field to update that the API never returns, left empty (%j), is cleared',
	(raw) => {
		expect(outcome('updateField', NEVER_SHOWN, raw, { isExpression: false })).toBe('cleared');
		expect(outcome('updateField', NEVER_SHOWN, raw)).toBe('noted');
		expect(outcome('updateField', NEVER_SHOWN, raw, { isOfModel: true })).toBe('skipped');
	},
);
