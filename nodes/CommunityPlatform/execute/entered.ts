import { shortened } from '../../shared/failure';
import { trimmed } from '../../shared/text';
import { locatorParts } from '../input/given';
import type { Field } from '../input/field';

/**
 * Describes the record of an item for people: its required fields except long texts, e.g. "Member: ada_l, Role:
 * Champion". Empty if none has a value.
 *
 * @param valueOf returns the value of a parameter; a parameter for which it throws is left out
 */
export function entered(fields: Field[], valueOf: (name: string) => unknown): string {
	const short = fields.filter(({ required, typeOptions }) => required && !typeOptions?.rows);
	return short
		.map(({ displayName, name }) => [displayName, shownValue(() => valueOf(name))])
		.filter(([, value]) => value !== '')
		.map(([label, value]) => `${label}: ${value}`)
		.join(', ');
}

function shownValue(read: () => unknown): string {
	try {
		const { value, picked } = locatorParts(read());
		return shortened(trimmed(picked ?? value ?? ''));
	} catch {
		return '';
	}
}
