import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { displayParameter } from 'n8n-workflow';
import type { Parameter } from './public-contract.mts';

/**
 * Values of the parameters that decide what is shown, and of `@version` and `@tool`. Inside of a collection, what
 * stands outside of it has a slash in front, as in n8n's conditions.
 */
export type Circumstance = Record<string, unknown>;

// Stands for everything that a text or a number can be beside what the conditions name.
const ANYTHING_ELSE = 'anything else';

/** Whether n8n shows a parameter to a node. */
export function isShown({ displayOptions }: Parameter, circumstance: Circumstance): boolean {
	return displayParameter(
		circumstance as INodeParameters,
		{ displayOptions } as INodeProperties,
		{ typeVersion: circumstance['@version'] as number },
		{ name: circumstance['@tool'] ? 'nodeTool' : 'node' } as INodeTypeDescription,
		outsideOf(circumstance) as INodeParameters,
	);
}

/** A circumstance as it is seen from inside of a collection. */
export function seenFromInside(circumstance: Circumstance): Circumstance {
	const entries = Object.entries(circumstance);
	return Object.fromEntries(
		entries.map(([key, value]) => [/^[@/]/.test(key) ? key : `/${key}`, value]),
	);
}

// What stands at the top is its own outside.
function outsideOf(circumstance: Circumstance): Circumstance {
	const outer = Object.entries(circumstance).filter(([key]) => key.startsWith('/'));
	if (outer.length === 0) return circumstance;
	return Object.fromEntries(outer.map(([key, value]) => [withoutSlash(key), value]));
}

function withoutSlash(key: string): string {
	return key.replace('/', '');
}

/**
 * All circumstances in which saved nodes can be that matter to a parameter: each combination of values that the
 * parameters in its conditions, and in their conditions in turn, can have. What a saved node cannot know, because
 * the parameter is new, has its default.
 *
 * @param name of the parameter
 * @param before the parameters beside it when the nodes were saved
 * @param after the parameters beside it now
 * @param known what is settled already
 */
export function circumstancesOf(
	name: string,
	before: Parameter[],
	after: Parameter[],
	known: Circumstance[],
): Circumstance[] {
	const isInside = known.some((each) => Object.keys(each).some((key) => key.startsWith('/')));
	const conditions = (parameter: Parameter) =>
		isInside ? conditionsOf(parameter) : conditionsOf(parameter).map(withoutSlash);
	const deciding = decidingFor(name, [...before, ...after], conditions);
	return deciding.reduce(
		(circumstances, key) =>
			circumstances.flatMap((circumstance) =>
				key in circumstance
					? [circumstance]
					: valuesOf(key, before, after, circumstance).map((value) => ({
							...circumstance,
							[key]: value,
						})),
			),
		known,
	);
}

/** The parameters in the conditions of a parameter, those that they depend on before them. */
function decidingFor(
	name: string,
	parameters: Parameter[],
	conditions: (parameter: Parameter) => string[],
): string[] {
	const found: string[] = [];
	const visited = new Set([name]);
	const visit = (each: string) => {
		for (const key of parameters.filter((one) => one.name === each).flatMap(conditions)) {
			if (visited.has(key)) continue;
			visited.add(key);
			visit(key);
			found.push(key);
		}
	};
	visit(name);
	return found;
}

function conditionsOf({ displayOptions = {}, parameters = [], groups = {} }: Parameter): string[] {
	const own = [displayOptions.show, displayOptions.hide].flatMap((each) => Object.keys(each ?? {}));
	// What is inside of it can depend on what stands outside.
	const inner = [...parameters, ...Object.values(groups).flat()].flatMap(conditionsOf);
	return [...own, ...inner.filter((key) => key.startsWith('/'))];
}

function valuesOf(
	key: string,
	before: Parameter[],
	after: Parameter[],
	circumstance: Circumstance,
): unknown[] {
	const shown = (all: Parameter[]) =>
		all.filter((each) => each.name === key && isShown(each, circumstance));
	const then = shown(before);
	if (then.length > 0) {
		const all = [...before, ...after];
		return [...new Set(then.flatMap((each) => possibleValues(each, all)))];
	}
	const now = shown(after).map((each) => each.default);
	return now.length > 0 ? now : [undefined];
}

function possibleValues({ name, type, values }: Parameter, all: Parameter[]): unknown[] {
	if (values) return values;
	if (type === 'boolean') return [true, false];
	const named = all.flatMap(({ displayOptions = {} }) => [
		...(displayOptions.show?.[name] ?? []),
		...(displayOptions.hide?.[name] ?? []),
	]);
	return [...named.filter((value) => typeof value !== 'object'), ANYTHING_ELSE];
}
