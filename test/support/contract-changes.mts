import type {
	NodeContract,
	Parameter,
	PublicContract,
} from '../../scripts/contract/public-contract.mts';
import { called, madeUpContract } from './made-up-contract.mts';

/** Changes the made-up contract; the action node, its parameters and the trigger are at hand. */
export type Change = (at: {
	contract: PublicContract;
	node: NodeContract;
	all: Parameter[];
	/** The first parameter with a name, those in the collection and in the rows included. */
	one: (name: string) => Parameter;
	trigger: NodeContract;
	credential: Parameter[];
}) => void;

/** The made-up contract after a change. */
export function changed(change: Change): PublicContract {
	const contract = madeUpContract();
	const { thing: node, thingTrigger: trigger } = contract.nodes;
	const all = node.parameters;
	const everything = all.flatMap((each) => [
		each,
		...(each.parameters ?? []),
		...(each.groups?.rows ?? []),
	]);
	const one = (name: string) => called(name, everything)[0];
	change({ contract, node, all, one, trigger, credential: contract.credentials.thingApi });
	return contract;
}

/** The conditions under which a parameter is shown, to be changed. */
export function show(parameter: Parameter): Record<string, unknown[]> {
	return parameter.displayOptions?.show as Record<string, unknown[]>;
}

/** A text that need not be filled in. */
export function text(name: string): Parameter {
	return { name, type: 'string', default: '' };
}
