import { isMap } from '../operation/values';

const BY_MODEL = /\$fromAI\s*\(/i;

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
	const isUnsaid = (name: string) => value[name] === '' && BY_MODEL.test(String(described[name]));
	if (!Object.keys(value).some(isUnsaid)) return value;
	return Object.fromEntries(Object.entries(value).filter(([name]) => !isUnsaid(name)));
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
