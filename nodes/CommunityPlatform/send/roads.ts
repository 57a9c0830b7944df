import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import type { Source, Task } from './batch';
import { runBatch } from './batch';
import { isAskedOfModel, asMeant } from './unsaid';

/**
 * The batch road: what n8n calls with all items of a run (n8n-workflow, `INodeType.customOperations`).
 */
export function onBatchRoad(task: Task) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runBatch(allItems(this), task)];
	};
}

/**
 * The tool road: what n8n's routing engine, which may run the node as a tool, calls with one item, as the
 * function that the operation's routing names as `pagination`.
 */
export function onToolRoad(task: Task) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		return await runBatch(oneItem(this), task);
	};
}

function allItems(functions: IExecuteFunctions): Source {
	const { parameters } = functions.getNode();
	const isByModel = isAskedOfModel(parameters);
	const fixed = new Map<string, unknown>();
	return {
		functions,
		items: [...functions.getInputData().keys()],
		parameter(name, item, fallback) {
			if (fixed.has(name)) return fixed.get(name);
			const value: unknown = functions.getNodeParameter(name, item, fallback);
			// Without an expression it is the same for all items, and n8n takes its time to say so.
			if (!hasExpression(parameters[name])) fixed.set(name, value);
			return isByModel ? asMeant(value, parameters[name]) : value;
		},
		isExpression: (name) => isOfWorkflow(parameters[name]),
		hint: (message) => functions.addExecutionHints({ message, location: 'outputPane' }),
	};
}

function oneItem(functions: IExecutePaginationFunctions): Source {
	const { parameters } = functions.getNode();
	return {
		functions,
		items: [functions.getItemIndex()],
		parameter: (name, _item, fallback) =>
			asMeant(functions.getNodeParameter(name, fallback as object), parameters[name]),
		isExpression: (name) => isOfWorkflow(parameters[name]),
	};
}

// A model can give something else, but not look for what an expression should have found.
function isOfWorkflow(value: unknown): boolean {
	return hasExpression(value) && !isAskedOfModel(value);
}

// What begins with an equals sign is one (n8n-workflow, `isExpression`).
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(hasExpression);
}
