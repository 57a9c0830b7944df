import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';
import { argumentFor, asMeant, isAskedOfModel, isTool } from './modelArguments';
import type { Run, Task } from './run';
import { runItems } from './runItems';

/** What n8n calls with all items of a run (n8n-workflow, `INodeType.customOperations`). */
export function forAllItems(task: Task) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runItems(allItems(this), task)];
	};
}

/**
 * What n8n's routing engine, which may run the node as a tool, calls with one item: the `pagination` function of the
 * operation's routing.
 */
export function forTool(task: Task) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		return await runItems(oneItem(this), task);
	};
}

function allItems(functions: IExecuteFunctions): Run {
	const { parameters } = functions.getNode();
	const isByModel = isAskedOfModel(parameters);
	const forModel = argumentsOf(functions.getNode());
	const fixed = new Map<string, unknown>();
	return {
		functions,
		items: [...functions.getInputData().keys()],
		parameter(name, item, fallback) {
			if (fixed.has(name)) return fixed.get(name);
			const value: unknown = functions.getNodeParameter(name, item, fallback);
			// Without an expression the value is the same for all items, and n8n is slow to evaluate it.
			if (!hasExpression(parameters[name])) fixed.set(name, value);
			return isByModel ? asMeant(value, parameters[name]) : value;
		},
		isExpression: (name) => isOfWorkflow(parameters[name]),
		// n8n's editor shows a hint of its own then (n8n-editor-ui, `getGenericHints`), which a model does not see.
		isLimitTold: (count) => !forModel && !isByModel && parameters.limit === count,
		argumentFor: forModel,
		hint: (message) => functions.addExecutionHints({ message, location: 'outputPane' }),
	};
}

function oneItem(functions: IExecutePaginationFunctions): Run {
	const { parameters } = functions.getNode();
	return {
		functions,
		items: [functions.getItemIndex()],
		parameter: (name, _item, fallback) =>
			asMeant(functions.getNodeParameter(name, fallback as object), parameters[name]),
		isExpression: (name) => isOfWorkflow(parameters[name]),
		argumentFor: argumentsOf(functions.getNode()),
	};
}

function argumentsOf(node: INode): Run['argumentFor'] {
	return isTool(node) ? (name) => argumentFor(node.parameters, name) : undefined;
}

// A model can give another value, but cannot change an expression.
function isOfWorkflow(value: unknown): boolean {
	return hasExpression(value) && !isAskedOfModel(value);
}

// n8n saves an expression as text that begins with an equals sign (n8n-workflow, `isExpression`).
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(hasExpression);
}
