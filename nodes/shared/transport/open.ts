import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import type { CallSettings } from './settings';
import { Stop } from '../limiter';
import { logLine } from './logLine';
import { loginOf, trimmedText } from './login';
import { normalizeBaseUrl } from './baseUrl';
import { CREDENTIAL } from './constants';
import { ThrottleReport } from './throttleReport';
import { Redactor } from './redact';
import type { ApiState } from './state';
import { apiStateFor } from './state';

/** The functions that n8n gives a node where this package calls the API. */
export type CallingFunctions =
	IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions | IExecuteFunctions;

/** One API, ready to be called on behalf of one run. */
export interface Api {
	baseUrl: string;
	/** As n8n decrypted it when the API was opened; every request is sent with this one. */
	credential: ICredentialDataDecryptedObject;
	settings: CallSettings;
	state: ApiState;
	/** What the user is told after a run about retries and pauses. */
	throttleReport: ThrottleReport;
	/** Cancellation of the run: once stopped, nothing more is sent. */
	stop: Stop;
	/** Takes the key and the secret out of everything that leaves the node. */
	redactor: Redactor;
	/** Writes a line to n8n's log, which says that it is about this node and this community. */
	log: (level: 'info' | 'warn', text: string) => void;
}

/**
 * Opens the API that the node's credential names.
 *
 * @param context any of n8n's node functions
 * @param settings how to send
 * @param stop cancels waiting and sending
 * @param item index of the input item by which expressions in the credential are evaluated
 * @throws Failure when the base URL in the credential cannot be used
 */
export async function openApi(
	context: CallingFunctions,
	settings: CallSettings,
	stop = new Stop(),
	item?: number,
): Promise<Api> {
	return toApi(context, settings, stop, await readCredential(context, item));
}

/**
 * The APIs that the items of one run call: a single one, unless the credential has expressions or changes during
 * the run.
 */
export class RunApis {
	private readonly opened = new Map<string, Api>();

	constructor(
		private readonly context: CallingFunctions,
		private readonly settings: CallSettings,
		private readonly stop: Stop,
	) {}

	/** Opens the API of an item, see {@link openApi}. */
	async of(item: number): Promise<Api> {
		const credential = await readCredential(this.context, item);
		const key = JSON.stringify(credential);
		const api = this.opened.get(key) ?? this.open(credential);
		this.opened.set(key, api);
		return api;
	}

	/** The APIs that were opened, one for each limiter. */
	get all(): Api[] {
		return [...new Map([...this.opened.values()].map((api) => [api.throttleReport, api])).values()];
	}

	// Waits for one limiter are reported once, also where callers have several keys.
	private open(credential: ICredentialDataDecryptedObject): Api {
		const api = toApi(this.context, this.settings, this.stop, credential);
		const known = this.all.find(({ state }) => state.limiter === api.state.limiter);
		return known ? { ...api, throttleReport: known.throttleReport } : api;
	}
}

async function readCredential(
	context: CallingFunctions,
	item?: number,
): Promise<ICredentialDataDecryptedObject> {
	return await context.getCredentials(CREDENTIAL, item);
}

function toApi(
	context: CallingFunctions,
	settings: CallSettings,
	stop: Stop,
	credential: ICredentialDataDecryptedObject,
): Api {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const [sourceSystem, apiKey] = [credential.sourceSystem, credential.apiKey].map(trimmedText);
	const state = apiStateFor({ baseUrl, sourceSystem });
	const redactor = new Redactor([loginOf(credential), apiKey, credential.webhookSecret]);
	const throttleReport = new ThrottleReport(state.limiter);
	const log: Api['log'] = (level, text) => {
		context.logger[level](logLine(context, `${baseUrl}: ${text}`));
	};
	return { baseUrl, credential, settings, state, throttleReport, stop, redactor, log };
}

/**
 * Writes to n8n's log what the rate limit and the retries did, once a run is over.
 *
 * @param failed what failed all the same, so that the line does not read like success
 * @returns the text without what failed and without its full stop; undefined when there was nothing to report
 */
export function logThrottling({ throttleReport, log }: Api, failed?: string): string | undefined {
	const told = throttleReport.tell();
	if (told) log(failed ? 'warn' : 'info', failed ? `${failed}; ${told}` : told);
	return told;
}

/**
 * The same for work that ends with the promise.
 *
 * @param failed what the log says where the promise is rejected
 */
export async function withThrottlingLogged<T>(
	api: Api,
	work: Promise<T>,
	failed: string,
): Promise<T> {
	let isDone = false;
	try {
		const result = await work;
		isDone = true;
		return result;
	} finally {
		logThrottling(api, isDone ? undefined : failed);
	}
}
