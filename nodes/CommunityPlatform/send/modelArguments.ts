import { isMap } from '../operation/values';

const BY_MODEL = /\$fromAI\s*\(/i;
const NAME_OF_ARGUMENT = /\$fromAI\s*\(\s*(['"`])(.+?)\1/i;

/**
 * What a model gave, as it meant it. It may name a record by its ID or by its name, whichever way the
 * parameter is set to. A group of fields comes without those that it was asked for and left empty: n8n makes
 * every argument of a tool required (n8n-core, `createNodeAsTool`), so that empty text is all a model can give
 * for a field that it does not mean to change; taken as a value, it would clear that field of an existing
 * record.
 *
 * @param value of a parameter, its expressions evaluated
 * @param described the same parameter as it is saved, with its expressions
 * @returns the value itself where no model is asked
 */
export function asMeant(value: unknown, described: unknown): unknown {
	if (!isMap(value) || !isMap(described)) return value;
	if ('__rl' in value) return isAskedOfModel(described) ? { ...value, mode: 'either' } : value;
	const isAsked = (name: string) => BY_MODEL.test(String(described[name]));
	const isMeant = ([name, given]: [string, unknown]) => !isAsked(name) || !isUnsaid(given);
	const isAsGiven = (entry: [string, unknown]) => isMeant(entry) && entry[1] !== EMPTY;
	const entries = Object.entries(value);
	if (entries.every(isAsGiven)) return value;
	return Object.fromEntries(
		entries
			.filter(isMeant)
			.map(([name, given]) => [name, isAsked(name) && given === EMPTY ? '' : given]),
	);
}

/** What a model gives for a field that is to be empty, because empty text is what it gives for one to leave alone. */
export const EMPTY = '""';

function isUnsaid(given: unknown): boolean {
	return given === '' || given === null || given === undefined;
}

/**
 * The arguments that a model gives, by the names of the parameters that they are for; fields of a collection by their
 * own.
 *
 * @param parameters as they are saved, with their expressions
 */
export function argumentsIn(parameters: object): Record<string, string> {
	const named: Record<string, string> = {};
	for (const [name, value] of Object.entries(parameters)) {
		const asked = isMap(value) && '__rl' in value ? value.value : value;
		const argument = typeof asked === 'string' ? NAME_OF_ARGUMENT.exec(asked)?.[2] : undefined;
		if (argument !== undefined) named[name] = argument;
		else if (isMap(asked)) Object.assign(named, argumentsIn(asked));
	}
	return named;
}

/**
 * Whether a model is asked for a parameter, or for a part of it.
 *
 * @param described the parameter as it is saved, with its expressions
 */
export function isAskedOfModel(described: unknown): boolean {
	if (typeof described === 'string') return BY_MODEL.test(described);
	return (
		typeof described === 'object' &&
		described !== null &&
		Object.values(described).some(isAskedOfModel)
	);
}
