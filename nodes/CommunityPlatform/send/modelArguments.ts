import type { INode } from 'n8n-workflow';
import { BY_MODEL as GIVEN_BY_MODEL } from '../operation/identifiers';
import { isBlank, isMap } from '../operation/values';

const BY_MODEL = /\$fromAI\s*\(/i;
const ARGUMENT = /\$fromAI\s*\(\s*(['"`])(.*?)\1/i;
// n8n calls the variant of a node that is used as a tool so (n8n, `tool-generation`).
const TOOL_TYPE = /Tool$/;

/** What a model gives for a field that is to be empty, because empty text leaves it alone. */
export const EMPTY = '""';

/** Whether a node is used as a tool, also where no argument of it is left to the model. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return TOOL_TYPE.test(type);
}

/**
 * What a model gave, as it meant it. It may name a record by its ID or by its name, whichever way the
 * parameter is set to. What it left empty is not given: n8n makes every argument of a tool required (n8n-core,
 * `createNodeAsTool`), so that empty text is all a model can give for a field that it does not mean to change; taken as
 * a value, it would clear that field of an existing record.
 *
 * @param value of a parameter, its expressions evaluated
 * @param described the same parameter as it is saved, with its expressions
 * @returns the value itself where no model is asked, null where it is not given
 */
export function asMeant(value: unknown, described: unknown): unknown {
	if (isUnsaid(value, described)) return null;
	if (value === EMPTY && typeof described === 'string' && BY_MODEL.test(described)) return '';
	if (!isMap(value) || !isMap(described)) return value;
	if ('__rl' in value)
		return isAskedOfModel(described) ? { ...value, mode: GIVEN_BY_MODEL } : value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name, each]) => !isUnsaid(each, described[name]))
			.map(([name, each]) => [name, asMeant(each, described[name])]),
	);
}

function isUnsaid(value: unknown, described: unknown): boolean {
	if (typeof described === 'string') return isBlank(value) && BY_MODEL.test(described);
	if (!isMap(value) || !isMap(described) || !('__rl' in value)) return false;
	return isUnsaid(value.value, described.value);
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

/**
 * The name of the argument by which a model gives a parameter.
 *
 * @param parameters of the node as they are saved, with their expressions
 * @param name of the parameter; it may stand in a collection
 * @returns undefined where the model is not asked for it
 */
export function argumentFor(parameters: unknown, name: string): string | undefined {
	if (!isMap(parameters)) return undefined;
	if (name in parameters) return argumentIn(parameters[name]);
	for (const each of Object.values(parameters)) {
		const found = argumentFor(each, name);
		if (found !== undefined) return found;
	}
	return undefined;
}

function argumentIn(described: unknown): string | undefined {
	if (isMap(described)) return argumentIn(described.value);
	return typeof described === 'string' ? ARGUMENT.exec(described)?.[2] : undefined;
}
