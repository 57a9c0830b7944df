import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';
import { Stopped } from '../../shared/call';
import { methodClass } from '../../shared/outcome';
import { asFailure, toItemJson, toNodeApiError } from '../../shared/raise';
import type { CallSettings } from '../../shared/settings';
import type { Input } from '../input/readInput';
import { readInput } from '../input/readInput';
import { commonFields } from '../resources/common';
import type { Operation, Way } from './item';
import { Item } from './item';
import { toRequest } from './request';
import type { Run } from './run';
import { runOf } from './run';

/** What n8n calls for every request of an operation (design, "The idea"). */
export type PaginationFunction = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/**
 * Makes a way of sending into the function that an operation's routing names. n8n calls it for all
 * input items at once. Reading the parameters is synchronous, so with "Stop" one that cannot be used
 * ends the run before anything was sent.
 *
 * @param way how the operation's requests are sent
 */
export function sending(way: Way): (operation: Operation) => PaginationFunction {
	return (operation) =>
		async function (requestData) {
			const run = runOf(this);
			const pairedItem = { item: this.getItemIndex() };
			let failure;
			run.enter();
			try {
				const input = readInput(this, [...operation.fields, ...commonFields]);
				operation.check?.(input);
				const records = await carryOut(this, run, operation, input, requestData, way);
				run.applied++;
				return records.map((json) => ({ json, pairedItem }));
			} catch (error) {
				// Cancelled, or stopped at another item whose failure n8n raises.
				if (error instanceof Stopped) return [];
				failure = asFailure(error);
				if (!this.continueOnFail()) run.stop.stop();
			} finally {
				run.leave();
			}
			if (this.continueOnFail()) return [{ json: toItemJson(failure), pairedItem }];
			// What is on its way counts too: the user is told how much was applied in the end.
			await run.over(batchIntervalOf(this));
			const { method = 'GET' } = requestData.options;
			const applied = methodClass(method) === 'safe' ? undefined : run.applied;
			throw toNodeApiError(failure, this.getNode(), pairedItem.item, applied);
		};
}

// One of the settings that n8n adds to every declarative node.
function batchIntervalOf(functions: IExecutePaginationFunctions): number {
	const { batching } = functions.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchInterval?: number } };
	};
	return batching?.batch?.batchInterval ?? 0;
}

async function carryOut(
	functions: IExecutePaginationFunctions,
	run: Run,
	operation: Operation,
	input: Input,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
	way: Way,
): Promise<IDataObject[]> {
	const api = await run.open(functions, input.values as Partial<CallSettings>);
	const base = httpSettings(options as IHttpRequestOptions);
	const item = new Item(functions, base, run, api, operation, input, toRequest(options, input));
	try {
		return await way(item);
	} finally {
		item.leaveTurns();
	}
}

// How to send. "Allowed HTTP Request Domains" is no part of it: it says where else the credential may be
// used, and the only host that is ever asked here is the credential's own.
function httpSettings({
	proxy,
	timeout,
	skipSslCertificateValidation,
}: IHttpRequestOptions): Partial<IHttpRequestOptions> {
	return { proxy, timeout, skipSslCertificateValidation };
}
