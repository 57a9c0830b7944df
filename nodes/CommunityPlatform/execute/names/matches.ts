import { Failure, quoted, shortened } from '../../../shared/transport/failure';
import type { NameReference } from '../../input/reference';
import type { NamedRecord } from './nameIndex';

const MOST_IDS_SHOWN = 10;
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * The identifier of the record that has a name.
 *
 * @param found all records that have it, at least one
 * @throws Failure where there are several, or the API does not show the identifier
 */
export function theOnlyId(
	{ kind, name, label, isByModel }: NameReference,
	found: NamedRecord[],
): string {
	const ids = found.map(({ id }) => id).filter((id) => id !== undefined);
	if (ids.length === 0) {
		const byId = isByModel ? `Give the ID in "${label}"` : `Choose By ID in "${label}"`;
		throw new Failure(
			`The API did not show the ID of the ${kind} ${quoted(name)}`,
			`${byId} if you know the ID. If not, check that the owner of the API key may view ${kind}s.`,
		);
	}
	if (found.length === 1) return ids[0];
	const shown = ids.slice(0, MOST_IDS_SHOWN).map(shortened).join(', ');
	const more = ids.length > MOST_IDS_SHOWN ? ` and ${ids.length - MOST_IDS_SHOWN} more` : '';
	throw new Failure(
		`${found.length} ${kind}s are named ${quoted(name)}`,
		isByModel
			? `Give the ID of one of them in "${label}": ${shown}${more}.`
			: `Choose one of them from the list in "${label}", or By ID: ${shown}${more}.`,
	);
}

/**
 * The Failure for a name that no record has.
 *
 * @param count of the records of this kind that the API shows
 * @param near the nearest names
 */
export function notFound(
	{ kind, name, label, isByModel }: NameReference,
	count: number,
	near: string[],
): Failure {
	const reason = `No ${kind} is named ${quoted(name)}`;
	if (count === 0) {
		return new Failure(reason, `The community shows no ${kind}s to the owner of this API key.`);
	}
	if (/^\d+$/.test(name)) {
		const advice = `If ${shortened(name)} is the ID of a ${kind}, choose By ID in "${label}".`;
		return new Failure(reason, advice);
	}
	if (near.length > 0) {
		const offered = ALTERNATIVES.format(near.map(quoted));
		return new Failure(reason, `Check the name in "${label}". The nearest there is: ${offered}.`);
	}
	const orMakeIt = kind === 'tag' ? '. If it is a new tag, Create or Update makes it' : '';
	const how = isByModel
		? ': look it up, or ask the person for it'
		: `, or choose the ${kind} from the list`;
	return new Failure(reason, `Check the name in "${label}"${how}${orMakeIt}.`);
}
