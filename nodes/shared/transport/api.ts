import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import type { Limiter, Pauses, Stop } from '../limiter';
import type { HttpAnswer } from './answer';
import type { ApiRequest } from './request';
import type { HttpSettings } from './requestOptions';

/** The credential's internal name, by which saved workflows refer to it. */
export const CREDENTIAL = 'communityPlatformApi';

/** Every endpoint begins with this path (docs/api/README.md, "Versioning"). */
export const API_PATH = '/api/v1';

/** The largest page_size the API takes (docs/api/README.md, "Limits"). */
export const MAX_PAGE_SIZE = 50;

/** The functions that n8n gives a node where this package calls the API. */
export type CallingFunctions =
	IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions | IExecuteFunctions;

export interface CallSettings {
	maxRequestsAtOnce: number;
	maxRetries: number;
}

/** Default settings for sending requests (docs/operations.md, "Options"). */
export const DEFAULT_SETTINGS: Readonly<CallSettings> = { maxRequestsAtOnce: 50, maxRetries: 5 };

/** One API, ready to be called on behalf of one run. */
export interface Api {
	/** Those of the node that calls it. */
	functions: CallingFunctions;
	/** HTTP options that the user has set. */
	http: HttpSettings;
	baseUrl: string;
	/** What identifies the community, see {@link addressKey}. */
	address: string;
	/** As n8n decrypted it when the API was opened; every request is sent with this one. */
	credential: ICredentialDataDecryptedObject;
	settings: CallSettings;
	/** Shared by everything in this process that calls the same community under the same source system. */
	limiter: Limiter;
	/** Of the run: once stopped, nothing more is sent. */
	stop: Stop;
	log(text: string): void;
	/** Hides the key and the secret in a text that leaves the node. */
	redact(text: string): string;
	/** Requests that were retried, and the limiter's pauses before the run. */
	throttling: { retried: number; readonly before: Pauses };
	/** See `call`. `withdrawn` cancels this request alone. */
	send(request: ApiRequest, withdrawn?: Stop): Promise<HttpAnswer>;
}

/** What sends requests: an API, or an item that notes what it sends. */
export type Sender = Pick<Api, 'send'>;
