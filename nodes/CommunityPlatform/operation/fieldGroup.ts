import type {
	GenericValue,
	IDataObject,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { Field } from './field';
import { meaning } from './field';
import { badValue, isMap, listOf, objectLike, oneOf } from './values';

/** An option of a collection that gives others of it, see `Meaning.stands`. */
export interface FieldGroup {
	name: string;
	label: string;
	key: string;
	/** Which of its fields are to have no value. */
	without: Field;
	/** What clears each of its fields. */
	cleared: IDataObject;
}

/** The group that an option of a collection is; none for one that is a field. */
export function toFieldGroup({
	name,
	displayName: label,
	options = [],
	[meaning]: { stands } = {},
}: Field): FieldGroup[] {
	if (!stands) return [];
	const { key, without, cleared } = stands;
	const { values } = options.find((each) => each.name === key) as INodePropertyCollection;
	const choice = values.find((each) => each.name === without) as Field;
	return [{ name, label, key, without: choice, cleared }];
}

/**
 * The fields of a collection, those of its groups included. A field of a group that is left empty is not given: it is
 * cleared only where that is chosen.
 *
 * @param options fields of the collection
 * @param given what was given for the collection
 * @throws Failure when a group is none, or when two places say different things of a field
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

// Where a field that was added twice is left empty, that place does not count.
function withoutEmpty(given: IDataObject, { name: group, cleared }: FieldGroup): IDataObject {
	const counts = ([name, value]: [string, unknown]) =>
		name !== group && !(name in cleared && isEmpty(value));
	return Object.fromEntries(Object.entries(given).filter(counts)) as IDataObject;
}

// What an expression that gave nothing leaves is something else: the user is told of it.
function isEmpty(value: unknown): boolean {
	if (isMap(value)) return Object.keys(value).length === 0;
	return typeof value === 'string' && ['', '{}'].includes(value.trim());
}

function isEqual(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
