import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';
import { Failure, toNodeError } from '../../shared/failure';
import { hasExpression } from '../input/entered';
import type { PreparedOperation } from './prepared';
import { Run, type GetParameter } from './run';

// What n8n adds to the lists of resources and operations (n8n-workflow, `CUSTOM_API_CALL_KEY`).
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** n8n's routing engine calls it before requests. It runs tools and the "Custom API Call", which has no URL. */
export async function refuseCustomApiCall(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const { resource, operation } = this.getNode().parameters;
	if (![resource, operation].includes(CUSTOM_API_CALL)) return request;
	const failure = new Failure(
		'This node cannot send a custom API call',
		"Choose another 'Operation', or add an HTTP Request node. In its 'Authentication', choose 'Predefined Credential Type' and 'Community Platform API'.",
	);
	throw toNodeError(failure, this.getNode());
}

/** Makes the function that n8n calls with all items of a run (n8n-workflow, `INodeType.customOperations`). */
export function forAllItems(prepared: PreparedOperation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { parameters } = this.getNode();
		const fixed = new Map<string, unknown>();
		const parameter: GetParameter = (name, item, fallback) => {
			if (fixed.has(name)) return fixed.get(name);
			const value: unknown = this.getNodeParameter(name, item, fallback);
			// Without an expression the value is the same for all items, and n8n is slow to evaluate it.
			if (!hasExpression(parameters[name])) fixed.set(name, value);
			return value;
		};
		const items = [...this.getInputData().keys()];
		const hint = (message: string) => this.addExecutionHints({ message, location: 'outputPane' });
		return [await new Run(prepared, this, items, parameter).execute(hint)];
	};
}

/** Makes the function that n8n's routing engine calls with one item of a tool, as its routing's `pagination`. */
export function forTool(prepared: PreparedOperation) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const parameter: GetParameter = (name, _item, fallback) =>
			this.getNodeParameter(name, fallback as object);
		return await new Run(prepared, this, [this.getItemIndex()], parameter).execute();
	};
}
