import type { Parameter, PublicContract } from '../../scripts/contract/public-contract.mts';

/** Something that can be taken out of a contract. */
export interface Removal {
	/** Where it is, e.g. `nodes.thing.versions.0`. */
	path: string;
	from(contract: PublicContract): void;
}

// The keys under which things are kept by their names; all other objects have a shape.
const BY_NAME = /^(nodes|credentials|webhooks|answers|items|fields|groups|modes)$/;
// Taking out one of these lets more pass.
const LOOSENING = ['hide', '@version', 'others', 'inputs'];

/** Everything whose removal would be missed: entries of lists, what is kept by its name, values that show something. */
export function removals(contract: PublicContract): Removal[] {
	return removableIn(contract, [], false);
}

function removableIn(value: unknown, path: string[], isByName: boolean): Removal[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.keys(value).flatMap((key) => {
		if (LOOSENING.includes(key)) return [];
		const own = [...path, key];
		const isKept = isByName || Array.isArray(value);
		const isPartOfDefault = path.includes('default');
		const here = isKept && !isPartOfDefault ? [{ path: own.join('.'), from: without(own) }] : [];
		const inner = (value as Record<string, unknown>)[key];
		// Items are kept by version, then by subject.
		const holdsNames = BY_NAME.test(key) || path.at(-1) === 'items';
		return [...here, ...removableIn(inner, own, holdsNames)];
	});
}

function without(path: string[]): Removal['from'] {
	return (contract) => {
		const key = path.at(-1) as string;
		const parent = path
			.slice(0, -1)
			.reduce<unknown>((value, each) => (value as Record<string, unknown>)[each], contract);
		if (Array.isArray(parent)) parent.splice(Number(key), 1);
		else delete (parent as Record<string, unknown>)[key];
	};
}

/** Every list of parameters: of nodes and credentials, in collections and in rows. */
export function parameterLists(contract: PublicContract): Parameter[][] {
	const inside = (list: Parameter[]): Parameter[][] => [
		list,
		...list.flatMap(({ parameters, groups = {} }) =>
			[...(parameters ? [parameters] : []), ...Object.values(groups)].flatMap(inside),
		),
	];
	return [
		...Object.values(contract.nodes).map(({ parameters }) => parameters),
		...Object.values(contract.credentials),
	].flatMap(inside);
}
