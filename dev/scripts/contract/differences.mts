import { isDeepStrictEqual } from 'node:util';
import type { Contract, Value } from './public-contract.mts';

/** One entry of the public contract that is new, gone or changed. */
export interface Difference {
	/** The keys that lead to the entry. */
	path: string[];
	/** What it was; undefined if it is new. */
	then?: Value;
	/** What it is; undefined if it is gone. */
	now?: Value;
}

// Saved values are checked against these: to add or tighten one breaks, to drop or loosen one does not.
const LIMITS = ['required', 'noDataExpression', 'minValue', 'maxValue'];

/** Every entry in which two contracts differ; lists are compared as sets. */
export function differencesOf(
	before: Contract,
	after: Contract,
	path: string[] = [],
): Difference[] {
	return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
		const [then, now] = [before[key], after[key]];
		const at = [...path, key];
		if (isDeepStrictEqual(then, now)) return [];
		const branches = [branchOf(key, then), branchOf(key, now)];
		return branches[0] && branches[1]
			? differencesOf(branches[0], branches[1], at)
			: [{ path: at, then, now }];
	});
}

function branchOf(key: string, value: Value): Contract | undefined {
	if (Array.isArray(value)) return Object.fromEntries(value.map((each) => [String(each), each]));
	return typeof value === 'object' && value !== null && key !== 'default' ? value : undefined;
}

/**
 * Whether a difference certainly breaks saved workflows. Entries that are gone or changed do, and new ones that
 * have to be filled in. Whether a change of a display rule (`when`) does is for a reader to say.
 */
export function breaks({ path, then, now }: Difference): boolean {
	const key = path.at(-1) as string;
	if (key === 'when') return false;
	if (then === undefined) return LIMITS.includes(key) || hasToBeFilledIn(now);
	if (now === undefined) return !LIMITS.includes(key);
	if (key === 'minValue') return Number(now) > Number(then);
	if (key === 'maxValue') return Number(now) < Number(then);
	if (path.includes('items')) return !typesOf(now).every((type) => typesOf(then).includes(type));
	return true;
}

function hasToBeFilledIn(value: Value): boolean {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	return value.required === true && !value.default && value.when === undefined;
}

// Of a field: `integer|null`.
function typesOf(value: Value): string[] {
	return String(value).split('|');
}

/** The differences in lines for a reader; those that are the same for several operations share one. */
export function described(differences: Difference[]): string[] {
	const places = new Map<string, string[]>();
	for (const { path, then, now } of differences) {
		const at = path.indexOf('parameters') + 1;
		const [place] = at > 0 ? path.slice(at, at + 1) : [];
		const entry = path.filter((_, index) => at === 0 || index !== at).join(' > ');
		const line = `${entry}: ${changeOf(then, now)}`;
		places.set(line, [...(places.get(line) ?? []), ...(place ? [place] : [])]);
	}
	return [...places].map(([line, [first, ...others]]) => {
		if (first === undefined) return line;
		return `${line} (${first}${others.length > 0 ? ` and ${others.length} more` : ''})`;
	});
}

function changeOf(then: Value, now: Value): string {
	if (then === undefined) return `new, ${JSON.stringify(now)}`;
	if (now === undefined) return 'gone';
	return `was ${JSON.stringify(then)}, is ${JSON.stringify(now)}`;
}
