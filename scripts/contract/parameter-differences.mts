import { isDeepStrictEqual } from 'node:util';
import { type Circumstance, circumstancesOf, isShown, seenFromInside } from './circumstances.mts';
import type { Parameter } from './public-contract.mts';

/** What breaks, with the circumstances in which it does. */
export type Findings = Map<string, Circumstance[]>;

/**
 * What would no longer hold for nodes that are saved with certain parameters. Whatever was shown to a node, by
 * its version, resource, operation and the like, must be shown to the same node again, under the same name, with
 * the same type and default (n8n saves no defaults), and take the values that it took. How the declarations are
 * cut, and what is added for nobody who is there yet, does not matter.
 *
 * @param before the parameters when the nodes were saved
 * @param after the parameters now
 * @param known the circumstances the nodes can be in, as far as they do not come from parameters
 * @param path in front of the names
 * @param isOptional what is not there is not missed, as in a collection
 */
export function parameterDifferences(
	before: Parameter[],
	after: Parameter[],
	known: Circumstance[],
	path = '',
	isOptional = false,
): Findings {
	const findings: Findings = new Map();
	const names = new Set([...before, ...after].map(({ name }) => name));
	for (const name of names) {
		const own = path + name;
		const declared = (all: Parameter[]) => all.filter((each) => each.name === name);
		// Most are as they were, and there are many circumstances.
		if (isDeepStrictEqual(declared(before), declared(after))) continue;
		for (const circumstance of circumstancesOf(name, before, after, known)) {
			const shown = (all: Parameter[]) =>
				declared(all).filter((each) => isShown(each, circumstance));
			const [then] = shown(before);
			const now = shown(after);
			if (then === undefined) {
				const isMissed = !isOptional && now.some(isToBeFilled);
				if (isMissed) add(findings, `${own} is new and has to be filled in`, [circumstance]);
				continue;
			}
			if (now.length === 0) add(findings, `${own} is gone`, [circumstance]);
			for (const each of now) merge(findings, differences(then, each, circumstance, own));
		}
	}
	return findings;
}

function isToBeFilled({ required, default: value }: Parameter): boolean {
	const given = (value as { value?: unknown } | null)?.value ?? value;
	return required === true && (given === '' || isDeepStrictEqual(given, []) || !isGiven(given));
}

function isGiven(value: unknown): boolean {
	const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
	return value !== null && value !== undefined && !isEmpty;
}

function differences(
	then: Parameter,
	now: Parameter,
	circumstance: Circumstance,
	path: string,
): Findings {
	if (then.type !== now.type) {
		return new Map([[`${path} was ${then.type} and is ${now.type}`, [circumstance]]]);
	}
	const findings: Findings = new Map();
	const unlike = [
		...ofShape(then, now),
		...ofValues(then, now),
		...ofModes(then.modes ?? {}, now.modes ?? {}),
	];
	for (const what of unlike) add(findings, `${path} ${what}`, [circumstance]);
	const inside = [seenFromInside(circumstance)];
	const inner = (before: Parameter[], after: Parameter[], name: string, isOptional: boolean) =>
		merge(findings, parameterDifferences(before, after, inside, `${name}.`, isOptional));
	if (then.parameters) inner(then.parameters, now.parameters ?? [], path, true);
	for (const [group, parameters] of Object.entries(then.groups ?? {})) {
		const same = now.groups?.[group];
		if (same) inner(parameters, same, `${path}.${group}`, false);
		else add(findings, `${path}.${group} is gone`, [circumstance]);
	}
	return findings;
}

function ofShape(then: Parameter, now: Parameter): string[] {
	return [
		!isDeepStrictEqual(then.default, now.default) &&
			`had the default ${json(then.default)} and has ${json(now.default)}`,
		now.required && !then.required && 'has to be filled in now',
		now.isFixed && !then.isFixed && 'takes no expression any more',
		!isDeepStrictEqual(then.others, now.others) &&
			`said ${json(then.others)} and says ${json(now.others)}`,
	].filter((each) => typeof each === 'string');
}

function ofValues(then: Parameter, now: Parameter): string[] {
	const gone = (then.values ?? []).filter((value) => !now.values?.includes(value));
	return [
		...gone.map((value) => `no longer offers ${json(value)}`),
		...((now.min ?? -Infinity) > (then.min ?? -Infinity) ? [`begins at ${now.min} now`] : []),
		...((now.max ?? Infinity) < (then.max ?? Infinity) ? [`ends at ${now.max} now`] : []),
	];
}

function ofModes(then: Record<string, unknown>, now: Record<string, unknown>): string[] {
	return Object.entries(then).flatMap(([mode, said]) => {
		if (!(mode in now)) return [`has no mode "${mode}" any more`];
		return isDeepStrictEqual(said, now[mode]) ? [] : [`has another mode "${mode}"`];
	});
}

function json(value: unknown): string {
	return JSON.stringify(value) ?? 'nothing';
}

function add(findings: Findings, what: string, circumstances: Circumstance[]): void {
	findings.set(what, [...(findings.get(what) ?? []), ...circumstances]);
}

function merge(findings: Findings, others: Findings): void {
	for (const [what, circumstances] of others) add(findings, what, circumstances);
}
