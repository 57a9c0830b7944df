import type {
	DeclarativeRestApiSettings,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import type { Source, Task } from './batch';
import { runBatch } from './batch';
import type { Operation, Way } from './item';

/**
 * How an operation is sent, as the function that its routing names as `pagination`. n8n's routing engine
 * calls it with one item where the node is a tool: the tool road.
 */
export interface Sending extends Omit<Task, 'request'> {
	(
		this: IExecutePaginationFunctions,
		requestData: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]>;
}

type CustomOperations = NonNullable<INodeType['customOperations']>;

/**
 * Makes a way of sending into what an operation's routing names.
 *
 * @param way how the operation's requests are sent
 */
export function sending(way: Way): (operation: Operation) => Sending {
	return (operation) => {
		async function onToolRoad(
			this: IExecutePaginationFunctions,
			{ options }: DeclarativeRestApiSettings.ResultOptions,
		): Promise<INodeExecutionData[]> {
			return await runBatch(oneItem(this), { request: options, operation, way });
		}
		return Object.assign(onToolRoad, { operation, way });
	};
}

/**
 * The batch road: for each operation of the description, the function that n8n calls with all items of
 * a run (n8n-workflow, `INodeType.customOperations`).
 *
 * @param properties the node's, with its operations and their routing
 */
export function customOperationsOf(properties: INodeProperties[]): CustomOperations {
	const operations: CustomOperations = {};
	for (const { name, displayOptions, options } of properties) {
		if (name !== 'operation') continue;
		const [resource] = displayOptions?.show?.resource as string[];
		operations[resource] = Object.fromEntries(
			(options as INodePropertyOptions[]).map(({ value, routing }) => {
				const { operation, way } = routing?.operations?.pagination as unknown as Sending;
				const task = { request: routing?.request ?? {}, operation, way };
				return [value, onBatchRoad(task)];
			}),
		);
	}
	return operations;
}

function onBatchRoad(task: Task) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runBatch(allItems(this), task)];
	};
}

function allItems(functions: IExecuteFunctions): Source {
	return {
		functions,
		items: [...functions.getInputData().keys()],
		parameter: (name, item, fallback) =>
			functions.getNodeParameter(name, item, fallback) as unknown,
		hint: (message) => functions.addExecutionHints({ message, location: 'outputPane' }),
	};
}

function oneItem(functions: IExecutePaginationFunctions): Source {
	return {
		functions,
		items: [functions.getItemIndex()],
		parameter: (name, _item, fallback) =>
			functions.getNodeParameter(name, fallback as object) as unknown,
	};
}
