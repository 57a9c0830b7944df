import type {
	GenericValue,
	IDataObject,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { Field } from './field';
import { meaning } from './field';
import { badValue, isMap, listOf, objectLike, oneOf } from './values';

/** An option of a collection that holds other options of it, see `Meaning.group`. */
export interface FieldGroup {
	name: string;
	label: string;
	key: string;
	/** The list in which the user chooses the fields to clear. */
	without: Field;
	/** For each of its fields, the value that clears it. */
	cleared: IDataObject;
}

/** An option of a collection as a group; empty if it is an ordinary field. */
export function toFieldGroup({
	name,
	displayName: label,
	options = [],
	[meaning]: { group } = {},
}: Field): FieldGroup[] {
	if (!group) return [];
	const { key, without, cleared } = group;
	const { values } = options.find((each) => each.name === key) as INodePropertyCollection;
	const choice = values.find((each) => each.name === without) as Field;
	return [{ name, label, key, without: choice, cleared }];
}

/**
 * The fields given for a collection, those in its groups included. A field left empty in a group counts as not given; it
 * is cleared only if it is chosen in the group's list.
 *
 * @param options fields of the collection
 * @param given what was given for the collection
 * @throws Failure when the value of a group is not an object, or when a field has two different values
 */
export function ungrouped(
	groups: FieldGroup[],
	options: Array<{ name: string; label: string }>,
	given: IDataObject,
): IDataObject {
	return groups.reduce((all, group) => {
		if (!(group.name in all)) return all;
		const labels = new Map(options.map(({ name, label }) => [name, label]));
		const ofGroup = fieldsOf(group, all[group.name], labels);
		const byThemselves = withoutEmpty(all, group);
		for (const [name, value] of Object.entries(ofGroup)) {
			if (!(name in byThemselves) || isEqual(byThemselves[name], value)) continue;
			const label = labels.get(name) as string;
			throw badValue(
				label,
				`is given twice, by itself and under "${group.label}"`,
				`Give "${label}" in one place only.`,
			);
		}
		return { ...byThemselves, ...ofGroup };
	}, given);
}

function fieldsOf(
	{ label, key, without, cleared }: FieldGroup,
	value: GenericValue,
	labels: Map<string, string>,
): IDataObject {
	const names = Object.keys(cleared);
	const read = objectLike(`{ "${key}": { ${names.map((name) => `"${name}": …`).join(', ')} } }`);
	const { [without.name]: chosen, ...values } = read(read(value, label)[key] ?? {}, label);
	const fields = Object.fromEntries(Object.entries(values).filter(([, each]) => !isEmpty(each)));
	const readChosen = listOf(oneOf(without.options as INodePropertyOptions[]));
	for (const name of readChosen(chosen ?? [], without.displayName) as string[]) {
		if (name in fields) {
			throw badValue(
				labels.get(name) as string,
				`has a value and is chosen in "${without.displayName}"`,
				`Leave it empty, or take it out of "${without.displayName}".`,
			);
		}
		fields[name] = cleared[name];
	}
	return fields;
}

// An empty field does not count where the same field is also in the group.
function withoutEmpty(given: IDataObject, { name: group, cleared }: FieldGroup): IDataObject {
	const counts = ([name, value]: [string, unknown]) =>
		name !== group && !(name in cleared && isEmpty(value));
	return Object.fromEntries(Object.entries(given).filter(counts)) as IDataObject;
}

// Not null, which an expression without a result leaves: the user is told of that.
function isEmpty(value: unknown): boolean {
	if (isMap(value)) return Object.keys(value).length === 0;
	return typeof value === 'string' && ['', '{}'].includes(value.trim());
}

function isEqual(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
