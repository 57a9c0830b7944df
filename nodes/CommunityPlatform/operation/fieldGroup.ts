import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Field } from './field';
import { meaning } from './field';
import { badValue, objectLike } from './values';

/** An option of a collection that gives others of it, see `Meaning.stands`. */
export interface FieldGroup {
	name: string;
	label: string;
	key: string;
	/** What it gives for the fields that are left empty. */
	empty: IDataObject;
}

/** The group that an option of a collection is; none for one that is a field. */
export function toFieldGroup({
	name,
	displayName: label,
	[meaning]: { stands } = {},
}: Field): FieldGroup[] {
	return stands ? [{ name, label, key: stands.key, empty: stands.for }] : [];
}

/**
 * The fields of a collection, those of its groups included.
 *
 * @param options fields of the collection
 * @param given what was given for the collection
 * @throws Failure when a group is none, or gives another value than a field that was added by itself
 */
export function ungrouped(
	groups: FieldGroup[],
	options: Array<{ name: string; label: string }>,
	given: IDataObject,
): IDataObject {
	return groups.reduce((all, group) => {
		const { name, label, key, empty } = group;
		if (!(name in all)) return all;
		const example = `{ "${key}": { ${Object.keys(empty)
			.map((each) => `"${each}": …`)
			.join(', ')} } }`;
		const ofGroup = objectLike(example)(all[name], label)[key] ?? {};
		const fields = { ...empty, ...objectLike(example)(ofGroup, label) };
		for (const option of options) {
			if (!(option.name in all && option.name in fields)) continue;
			fields[option.name] = givenOnce(option.label, label, [all[option.name], fields[option.name]]);
		}
		return { ...all, ...fields };
	}, given);
}

// Where a field that was added twice is left empty, that place does not count.
function givenOnce(
	label: string,
	labelOfGroup: string,
	[byItself, inGroup]: [GenericValue, GenericValue],
): GenericValue {
	if (isEmptyField(inGroup)) return byItself;
	if (isEmptyField(byItself) || JSON.stringify(byItself) === JSON.stringify(inGroup)) {
		return inGroup;
	}
	throw badValue(
		label,
		`is given twice, by itself and under "${labelOfGroup}"`,
		`Give "${label}" in one place only.`,
	);
}

function isEmptyField(value: GenericValue): boolean {
	return typeof value === 'string' && ['', '{}'].includes(value.trim());
}
