import {
	NodeHelpers,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
} from 'n8n-workflow';
import { Failure, quoted, toNodeError } from '../../shared/failure';
import { Cancellation } from '../../shared/async/cancel';
import { KeyedLock } from '../../shared/async/lock';
import { booleanValue } from '../../shared/values';
import { resources } from '../actions';
import { sharedFieldsOf } from '../actions/common';
import { isWriting, type Operation } from '../actions/operation';
import { hasExpression } from '../input/entered';
import { parametersOf, type Parameter } from '../actions/field';
import { readerOf, type Draft, type Source } from '../input/reading';
import type { Community } from '../people/community';
import { Notes } from './notes';
import { Once } from '../../shared/async/once';

// n8n gives the node as a tool another type. Version 1 has no function for it (docs/decisions.md, E25).
const { isToolType = (type = '') => type.endsWith('Tool') }: Partial<typeof NodeHelpers> =
	NodeHelpers;

// What n8n adds to the lists of resources and operations (n8n-workflow, `CUSTOM_API_CALL_KEY`).
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** An operation, prepared once for all runs. */
export interface Prepared {
	operation: Operation;
	read(source: Source): Draft;
	/** The parameters that are sent in the body. */
	bodyFields: Parameter[];
	/** What the specification says of their values, by field of the API. */
	formats: Record<string, string>;
	/** The parameter that names the record in the path, if the path names one. */
	target?: Parameter;
	/** The field of the API that only describes a change. */
	remark?: string;
}

/** The operations that were used, by resource and operation, because preparing one takes time. */
const used = new Once<Prepared>();

function preparedFor(functions: IExecuteFunctions): Prepared {
	const [resource, value] = ['resource', 'operation'].map((name) =>
		String(functions.getNodeParameter(name, 0, '')),
	);
	const key = `${resource}.${value}`;
	const known = resources.find((each) => each.value === resource)?.operations;
	const operation = known?.find((each) => each.value === value);
	if (!operation) throw toNodeError(unknownOperation(resource, value), functions.getNode());
	return used.get(key, () => prepare(operation));
}

function unknownOperation(resource: string, operation: string): Failure {
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		return new Failure(
			'This node cannot send a custom API call',
			"Choose another 'Operation', or add an HTTP Request node. In its 'Authentication', choose 'Predefined Credential Type' and 'Community Platform API'.",
		);
	}
	// n8n does not pass on the operation of an unknown resource.
	const reason =
		operation === ''
			? `The resource ${quoted(resource)} does not exist`
			: `The operation ${quoted(operation)} of the resource ${quoted(resource)} does not exist`;
	return new Failure(reason, "Choose a 'Resource' and an 'Operation' from the lists in the node.");
}

function prepare(operation: Operation): Prepared {
	const parameters = parametersOf([...operation.fields, ...sharedFieldsOf(operation)]);
	const all = parameters.flatMap((each) => [each, ...each.options]);
	const bodyFields = all.filter(({ sentIn }) => sentIn === 'body');
	const target = parameters.find(({ idField, sentIn }) => idField && !sentIn);
	const formats = Object.fromEntries(
		bodyFields.flatMap(({ sentAs, format }) => (format ? [[sentAs, format]] : [])),
	);
	const remark = bodyFields.find(({ isRemark }) => isRemark)?.sentAs;
	return { operation, read: readerOf(parameters), bodyFields, formats, target, remark };
}

/** What the items of one execution of the node share. */
export class Run {
	/** After a cancellation, no request is sent. Requests in flight are finished, unless n8n cancels the run. */
	readonly cancellation = new Cancellation();
	readonly notes = new Notes();
	/** The roles that the run has assigned so far, by the member's ID. */
	readonly assignedRoles = new Map<string, string>();
	/** By community, because most creates are sent one after another in the order of the items. */
	readonly creates = new KeyedLock();
	/** By credential. */
	readonly communities = new Once<Community>();
	/** How many items n8n has passed to the node. */
	readonly count: number;
	/** Whether a model calls the node. */
	readonly isTool: boolean;
	/** Whether a failed record becomes a failed item instead of ending the run. */
	readonly isContinuing: boolean;
	/** The parameters as they are saved, with their expressions. */
	readonly saved: INodeParameters;
	readonly prepared: Prepared;
	private readonly fixed = new Map<string, unknown>();
	private runsBefore?: number;
	private kept?: object;

	/** @throws NodeApiError if the node has no such operation */
	constructor(readonly functions: IExecuteFunctions) {
		this.prepared = preparedFor(functions);
		this.count = functions.getInputData().length;
		// Once, because n8n copies the node each time.
		const node = functions.getNode();
		this.saved = node.parameters;
		this.isTool = isToolType(node.type);
		const items = [...functions.getInputData().keys()];
		// A dry run changes nothing, so it continues after a failure.
		this.isContinuing = functions.continueOnFail() || items.every((item) => this.isDryRun(item));
	}

	/** How often n8n ran the node in this execution before, as in a loop. "Retry On Fail" does not count. */
	get index(): number {
		this.runsBefore ??= Number(this.functions.evaluateExpression('{{ $runIndex }}', 0));
		return this.runsBefore;
	}

	/** What n8n keeps for all tries of the node in this execution (docs/decisions.md, E37). */
	get context(): object {
		this.kept ??= contextOf(this.functions);
		return this.kept;
	}

	/** Whether an item is only tried out, before its parameters are read. A model has no such option. */
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
	parameter(name: string, item: number, fallback: unknown): unknown {
		if (this.fixed.has(name)) return this.fixed.get(name);
		const value: unknown = this.functions.getNodeParameter(name, item, fallback as object);
		// Without an expression the value is the same for all items, and n8n is slow to evaluate it.
		if (!hasExpression(this.saved[name])) this.fixed.set(name, value);
		return value;
	}
}

// n8n's own Agents run a tool without an execution: nothing outlives the call.
function contextOf(functions: IExecuteFunctions): object {
	try {
		return functions.getContext('node');
	} catch {
		return {};
	}
}
