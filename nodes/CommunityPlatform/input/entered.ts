import { badValue, isBlank, isMap } from '../../shared/values';
import { rules, type Field } from '../actions/field';

/** What a model sends to clear a field, because empty text keeps it. */
const CLEARED_BY_MODEL = '""';

/**
 * What happens to a parameter without a value. Only this file decides it, for the editor, rows and models:
 * - `cleared`: an update empties it;
 * - `ignored`: it counts as not entered; `ignoredWithHint`: the same, with a hint;
 * - `required`: it fails, because it needs a value; `invalid`: it fails, because its expression has no value.
 */
export type BlankOutcome = 'cleared' | 'ignored' | 'ignoredWithHint' | 'required' | 'invalid';
export type Entered = { is: BlankOutcome } | ({ is: 'value' } & Parts);

export interface Parts {
	value: unknown;
	/** How a resource locator was set: `list`, `name`, `id`, `username` or `email`. */
	mode?: string;
	/** The label that the editor showed, if it was selected from a list. */
	selectedLabel?: string;
}

/** Where a parameter is: on its own, or in a collection of optional fields, fields to change, filters or options. */
export type Place = 'parameter' | 'additionalField' | 'updateField' | 'option';

/** A parameter as n8n resolved it. */
export interface ResolvedParameter {
	field: Field;
	place: Place;
	raw: unknown;
	/** Whether it is set by an expression of the workflow. */
	isExpression: boolean;
	/** Whether a model has set it, or left it empty. */
	isOfModel: boolean;
}

/** Decides what happens to a parameter (docs/decisions.md, A27). */
export function enteredAs(asked: ResolvedParameter): Entered {
	const { field, place, raw, isOfModel } = asked;
	const parts = locatorParts(raw);
	const { value } = parts;
	const isEmptied = isOfModel && value === CLEARED_BY_MODEL;
	const isEmptyJson = field[rules]?.isNeverReturned && isEmptyMap(value);
	if (!isEmptied && !isEmptyJson && !isBlank(value)) return { ...parts, is: 'value' };
	// A model's null is its empty text.
	const as = isOfModel || typeof value === 'string' || isEmptyJson ? 'text' : 'nothing';
	return { is: BLANK[place](asked, isEmptied ? 'emptied' : as) };
}

const isText = ({ type }: Field) => type === 'string' || type === 'json';
// Only fields that a record can lack, because the API documents no empty name, color or choice.
const canBeEmpty = (field: Field) =>
	isText(field) && !field[rules]?.requiredInUpdate && !field[rules]?.isNeverEmpty;

/** What happens to a blank parameter, by its place: one without a value, with blank text, or emptied by a model. */
const BLANK: Record<
	Place,
	(asked: ResolvedParameter, as: 'nothing' | 'text' | 'emptied') => BlankOutcome
> = {
	parameter({ field, isExpression }, as) {
		const { type, required } = field;
		if (as === 'emptied' || !isExpression) return required ? 'required' : 'ignored';
		const isDecisive = ['boolean', 'options', 'resourceLocator'].includes(type);
		return required || isDecisive ? 'invalid' : 'ignored';
	},
	additionalField: ({ field, isOfModel }, as) =>
		(as !== 'nothing' && isText(field)) || (as === 'text' && isOfModel)
			? 'ignored'
			: 'ignoredWithHint',
	updateField({ field, isOfModel, isExpression }, as) {
		if (field[rules]?.mustBeSet && !isOfModel && !isExpression) return 'required';
		if (as === 'nothing') return 'ignoredWithHint';
		if (as === 'emptied') return canBeEmpty(field) ? 'cleared' : 'ignoredWithHint';
		if (isOfModel) return 'ignored';
		// A blank cell does not say that a field which the API never returns is empty in the profile, too.
		const isUnknown = isExpression && field[rules]?.isNeverReturned;
		return canBeEmpty(field) && !isUnknown ? 'cleared' : 'ignoredWithHint';
	},
	option: ({ isOfModel }) => (isOfModel ? 'ignored' : 'invalid'),
};

/** The value of a resource locator or of anything else. */
function locatorParts(raw: unknown): Parts {
	if (!isMap(raw) || !('__rl' in raw)) return { value: raw };
	const { value, mode, cachedResultName: selectedLabel } = raw;
	const isSelected = mode === 'list' && typeof selectedLabel === 'string';
	return { value, mode: String(mode), selectedLabel: isSelected ? selectedLabel : undefined };
}

/** A field of a row in a list of the editor. An empty one is refused, because n8n itself fills in defaults. */
export function cellOf(row: Record<string, unknown>, name: string, label: string): Parts {
	const parts = locatorParts(row[name]);
	if (isBlank(parts.value)) throw emptyInItem(parts.value, label);
	return parts;
}

/** Whether an expression has found its field, but no value in it, as in an empty cell of a table. */
export function isEmptyCell(raw: unknown): boolean {
	const { value } = locatorParts(raw);
	return value !== undefined && isBlank(value);
}

/** The failure for an expression without a value for an item. */
export function emptyInItem(raw: unknown, label: string) {
	const isCell = isEmptyCell(raw);
	const reason = isCell ? 'is empty in this item' : 'is empty';
	const advice = !isCell
		? "Check the field's name in the expression, because the expression has no value for this item."
		: 'Fill in the value where it comes from, e.g. in your spreadsheet or form, or leave the item out with a Filter node before this node.';
	return badValue(label, reason, advice);
}

// As the editor begins a JSON field.
function isEmptyMap(value: unknown): boolean {
	return value === '{}' || (isMap(value) && Object.keys(value).length === 0);
}

/** Whether a parameter as it is saved, or a part of it, is an expression (n8n-workflow, `isExpression`). */
export function hasExpression(saved: unknown): boolean {
	return hasText(saved, /^=/);
}

/** Whether a parameter as it is saved, or a part of it, is such a text. */
export function hasText(saved: unknown, pattern: RegExp): boolean {
	if (typeof saved === 'string') return pattern.test(saved);
	if (typeof saved !== 'object' || saved === null) return false;
	return Object.values(saved).some((each) => hasText(each, pattern));
}
