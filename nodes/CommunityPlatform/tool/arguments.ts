import { quoted } from '../../shared/failure';
import { trimmed } from '../../shared/text';
import { badValue, isMap } from '../../shared/values';
import { hasText, type Place } from '../input/entered';
import type { Parameter } from '../actions/field';

/**
 * Returns a parameter as a model means it. n8n makes every argument of a tool required (n8n-core, `createNodeAsTool`), so
 * a model may leave out a whole collection that it is asked for, and names a record by ID or name in any mode.
 */
export function asModelMeans(value: unknown, fallback: unknown, saved: unknown): unknown {
	return normalized(isMap(fallback) ? (value ?? fallback) : value, saved);
}

function normalized(value: unknown, saved: unknown): unknown {
	if (!isMap(value) || !isMap(saved)) return value;
	if ('__rl' in value) return isAsked(saved) ? { ...value, mode: 'id' } : value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([name, each]) => [name, normalized(each, saved[name])]));
}

/** Whether a model is asked for a parameter as it is saved, or for a part of it. */
export function isAsked(saved: unknown): boolean {
	return hasText(saved, /\$fromAI\s*\(/i);
}

const WORD_FOR_NOTHING =
	/^((un|not )changed|no changes?|none|null|undefined|keep|same( as before)?|see above|string|todo|unknown|n\/?a|\.\.+|…|\{\})$/i;
const INSTEAD_OF_IT: Record<Place, string> = {
	updateField: 'Leave the field empty to keep its value.',
	additionalField: 'Leave the field empty if it has no value.',
	option: 'Leave the field empty if it has no value.',
	parameter: 'Enter the value itself, or leave the field empty if it can be empty.',
};

/** Refuses a word that a model writes for a value that it does not want to set. */
export function refuseWordForNothing({ field, label }: Parameter, value: unknown, place: Place) {
	if (typeof value !== 'string') return;
	const text = trimmed(value);
	const mayBeEmpty = place !== 'parameter' || !field.required || field.name === 'content';
	const bare = trimmed(text.replace(/<\/?\w+ ?\/?>|&nbsp;/g, ''));
	// As in "(unchanged)", "<p>None</p>" or "<p></p>".
	const isWord = bare === '' || WORD_FOR_NOTHING.test(bare.replace(/[()[\]]/g, ''));
	if (!mayBeEmpty || !isWord) return;
	throw badValue(label, `contains only the placeholder ${quoted(text)}`, INSTEAD_OF_IT[place]);
}
