import type { INode, INodeParameters } from 'n8n-workflow';
import { isBlank, isMap } from './values';

const BY_MODEL = /\$fromAI\s*\(/i;
const ARGUMENT = /\$fromAI\s*\(\s*(?:'([^']+)'|"([^"]+)"|`([^`]+)`)/i;
// n8n's name for the variant of a node that is used as a tool (n8n, `tool-generation`).
const TOOL_TYPE = /Tool$/;

/** What a model gives to clear a field, because empty text leaves it as it is. */
export const CLEARED_BY_MODEL = '""';

/** In place of the mode of a resource locator: an ID or a name, whichever the value looks like. A model gives either. */
export const ID_OR_NAME = 'either';

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
 * @param saved the same parameter as it is saved, with its expressions
 * @returns the value itself if no model is asked for it, null if it is not given
 */
export function asModelMeans(value: unknown, saved: unknown): unknown {
	if (typeof saved === 'string') return isBlank(value) && isAskedOfModel(saved) ? null : value;
	if (!isMap(value) || !isMap(saved)) return value;
	if ('__rl' in value) {
		if (!isAskedOfModel(saved)) return value;
		return isBlank(value.value) ? null : { ...value, mode: ID_OR_NAME };
	}
	const entries = Object.entries(value).map(
		([name, each]) => [name, asModelMeans(each, saved[name])] as const,
	);
	return Object.fromEntries(
		entries.filter(([name, each]) => each !== null || !isAskedOfModel(saved[name])),
	);
}

/** Whether a model is asked for a parameter as it is saved, or for a part of it. */
export function isAskedOfModel(saved: unknown): boolean {
	if (typeof saved === 'string') return BY_MODEL.test(saved);
	return typeof saved === 'object' && saved !== null && Object.values(saved).some(isAskedOfModel);
}

/** The names by which a model is asked, by the names of the parameters as they are saved. */
export function argumentNames(saved: INodeParameters): Record<string, string> {
	const names: Record<string, string> = {};
	for (const [parameter, each] of Object.entries(saved)) {
		const value = isMap(each) && '__rl' in each ? each.value : each;
		if (isMap(value)) Object.assign(names, argumentNames(value as INodeParameters));
		const [, ...quoted] = ARGUMENT.exec(typeof value === 'string' ? value : '') ?? [];
		const name = quoted.find((text) => text);
		if (name) names[parameter] = name;
	}
	return names;
}
