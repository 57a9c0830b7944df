import {
	NodeHelpers,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
} from 'n8n-workflow';
import { Cancellation } from '../../shared/limiter/cancel';
import { KeyedLock } from '../../shared/limiter/lock';
import { isWriting } from '../actions/operation';
import { hasExpression } from '../input/entered';
import { booleanValue } from '../../shared/values';
import type { PreparedOperation } from './prepared';
import { RunSummary } from './summary';

// n8n gives the node as a tool another type. Version 1 has no function for it (docs/decisions.md, E25).
const { isToolType = (type = '') => type.endsWith('Tool') }: Partial<typeof NodeHelpers> =
	NodeHelpers;

/** What an item knows about its run. */
export class RunContext {
	/** After a cancellation, no request is sent. Requests in flight are finished, unless n8n cancels the run. */
	readonly cancellation = new Cancellation();
	readonly summary = new RunSummary();
	/** By community, because most creates are sent one after another in the order of the items. */
	readonly creates = new KeyedLock();
	/** How many items n8n has passed to the node. */
	readonly count: number;
	/** Whether a model calls the node. */
	readonly isTool: boolean;
	/** Whether a failed record becomes a failed item instead of ending the run. */
	readonly isContinuing: boolean;
	/** The parameters as they are saved, with their expressions. */
	protected readonly saved: INodeParameters;
	private readonly fixed = new Map<string, unknown>();
	private runsBefore?: number;

	constructor(
		readonly prepared: PreparedOperation,
		readonly functions: IExecuteFunctions,
	) {
		this.count = functions.getInputData().length;
		// Once, because n8n copies the node each time.
		const node = functions.getNode();
		this.saved = node.parameters;
		this.isTool = isToolType(node.type);
		const items = [...functions.getInputData().keys()];
		// A dry run changes nothing, so it continues after a failure.
		this.isContinuing = functions.continueOnFail() || items.every((item) => this.isDryRun(item));
	}

	/** Whether an item has the values that its change replaced, because a model may have to restore them. */
	get givesPrevious(): boolean {
		return this.isTool;
	}

	/** How often n8n ran the node in this execution before, as in a loop. "Retry On Fail" does not count. */
	get runIndex(): number {
		this.runsBefore ??= Number(this.functions.evaluateExpression('{{ $runIndex }}', 0));
		return this.runsBefore;
	}

	/** Whether an item is only tried out. */
	isDryRun(item: number): boolean {
		if (this.isTool || !isWriting(this.prepared.operation)) return false;
		try {
			const { dryRun = false } = this.parameter('options', item, {}) as IDataObject;
			return booleanValue(dryRun, '') === true;
		} catch {
			// Reading all parameters reports what is wrong with it.
			return false;
		}
	}

	/** Returns a parameter's value for an item, or the fallback if it is not set. */
	protected parameter(name: string, item: number, fallback: unknown): unknown {
		if (this.fixed.has(name)) return this.fixed.get(name);
		const value: unknown = this.functions.getNodeParameter(name, item, fallback as object);
		// Without an expression the value is the same for all items, and n8n is slow to evaluate it.
		if (!hasExpression(this.saved[name])) this.fixed.set(name, value);
		return value;
	}
}
