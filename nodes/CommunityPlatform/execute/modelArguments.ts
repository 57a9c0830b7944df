import type { INode } from 'n8n-workflow';
import { BY_MODEL as GIVEN_BY_MODEL } from '../input/identifiers';
import { isBlank, isMap } from '../input/values';

const BY_MODEL = /\$fromAI\s*\(/i;
const ARGUMENT = /\$fromAI\s*\(\s*(['"`])(.*?)\1/i;
// n8n's name for the variant of a node that is used as a tool (n8n, `tool-generation`).
const TOOL_TYPE = /Tool$/;

/** What a model gives to clear a field, because empty text leaves it as it is. */
export const EMPTY = '""';

/** Whether a node is used as a tool, also without any argument left to the model. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return TOOL_TYPE.test(type);
}

/**
 * Interprets an argument of a model. A model may give a record by ID or by name, whatever the mode of the parameter. Empty
 * text counts as not given: n8n makes every argument of a tool required (n8n-core, `createNodeAsTool`), so a model gives
 * empty text for a field that it does not want to change; taken as a value, it would clear that field.
 *
 * @param value of a parameter, its expressions evaluated
 * @param described the same parameter as it is saved, with its expressions
 * @returns the value itself if no model is asked for it, null if it is not given
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
 * @param name of the parameter; it may be in a collection
 * @returns undefined if the model is not asked for it
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
