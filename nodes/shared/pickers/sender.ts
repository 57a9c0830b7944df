import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { Cancellation, wait } from '../async/cancel';
import { Failure } from '../failure';
import { Cancelled, connect, sending, toHttpSettings } from '../transport';
import type { CallSettings, Sender } from '../transport';

// A person waits for a picker, so it gives up sooner than a workflow would.
const SETTINGS: CallSettings = { maxRequestsAtOnce: 1, maxRetries: 1 };
const LONGEST_WAIT_MS = 8000;

/** Sends the requests of a list in the editor. If one takes too long, its advice names another way. */
export async function pickerSender(
	functions: ILoadOptionsFunctions,
	otherwise: string,
): Promise<Sender> {
	// The node's request options also apply to its pickers.
	const options = (functions.getCurrentNodeParameter('requestOptions') ?? {}) as IDataObject;
	const http = toHttpSettings({ ...options, timeout: options.timeout || LONGEST_WAIT_MS });
	const api = await connect(functions, new Cancellation(), SETTINGS, http);
	const advice = `Try again in a moment, or ${otherwise}.`;
	return {
		async send(request) {
			// The API can ask for a pause that is longer than a person waits.
			const cancellation = new Cancellation();
			void wait(LONGEST_WAIT_MS, cancellation).then(() => cancellation.cancel());
			return await sending({ ...api, cancellation })
				.send(request)
				.catch((error: unknown) => {
					const isLate = error instanceof Cancelled;
					throw isLate ? new Failure('The community did not answer in time', advice) : error;
				})
				.finally(() => cancellation.cancel());
		},
	};
}
