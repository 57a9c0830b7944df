import type { INodeParameters } from 'n8n-workflow';
import { quoted } from '../../shared/failure';
import { trimmed } from '../../shared/text';
import { hasText, type Place } from '../input/entered';
import type { Parameter } from '../input/parameter';
import type { ItemParameters } from '../input/readInput';
import { badValue, isMap } from '../../shared/values';

/**
 * The parameters of an item as a model means them. n8n makes every argument of a tool required (n8n-core,
 * `createNodeAsTool`), so a model sends empty text, or a word for nothing, for a field that it does not want to change.
 */
export function toolArguments(
	get: ItemParameters['get'],
	saved: INodeParameters,
): Pick<ItemParameters, 'get' | 'model'> {
	return {
		get(name, fallback) {
			const value = get(name, fallback);
			// A model that is asked for a whole collection may leave it out.
			return normalized(isMap(fallback) ? (value ?? fallback) : value, saved[name]);
		},
		model: { isAsked, refuseWordForNothing },
	};
}

/** Accepts a record by ID or by name, in any mode. */
function normalized(value: unknown, saved: unknown): unknown {
	if (!isMap(value) || !isMap(saved)) return value;
	if ('__rl' in value) return isAsked(saved) ? { ...value, mode: 'id' } : value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([name, each]) => [name, normalized(each, saved[name])]));
}

/** Whether a model is asked for a parameter as it is saved, or for a part of it. */
function isAsked(saved: unknown): boolean {
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

function refuseWordForNothing({ field, label }: Parameter, value: unknown, place: Place): void {
	if (typeof value !== 'string') return;
	const text = trimmed(value);
	const mayBeEmpty = place !== 'parameter' || !field.required || field.name === 'content';
	const bare = trimmed(text.replace(/<\/?\w+ ?\/?>|&nbsp;/g, ''));
	// As in "(unchanged)", "<p>None</p>" or "<p></p>".
	const isWord = bare === '' || WORD_FOR_NOTHING.test(bare.replace(/[()[\]]/g, ''));
	if (!mayBeEmpty || !isWord) return;
	throw badValue(label, `contains only the placeholder ${quoted(text)}`, INSTEAD_OF_IT[place]);
}
