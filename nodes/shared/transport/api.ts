import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import type { Limiter } from '../limiter/queue';
import type { Cancellation } from '../async/cancel';
import type { RecordType } from '../records/types';
import type { HttpSettings } from './httpSettings';

/** The credential's internal name, by which saved workflows refer to it. */
export const CREDENTIAL = 'communityPlatformApi';

/** Every endpoint begins with this path (docs/api/README.md, "Versioning"). */
export const API_PATH = '/api/v1';

/** The largest page_size the API takes (docs/api/README.md, "Limits"). */
export const MAX_PAGE_SIZE = 50;

export type Method = 'GET' | 'PATCH' | 'POST' | 'PUT';

/**
 * What a request does (docs/decisions.md, A12): it `reads`, it `creates` a record, so that sending it again creates
 * another one, or it `sets` values, so that sending it again changes nothing more.
 */
export type Effect = 'reads' | 'creates' | 'sets';

/** The documented answer: a record (with this ID if the request names one), a page of records, or neither. */
export type Expected =
	{ record: RecordType; id?: string } | { list: RecordType } | 'acknowledgement';

/** The method and the effect of every request that reads. */
export const READ = { method: 'GET', effect: 'reads' } as const;

/** One request to the API, before it becomes an HTTP request. */
export interface ApiRequest {
	method: Method;
	effect: Effect;
	/** Below `API_PATH`, with IDs filled in and encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	expects: Expected;
	/** Whether it is a change that was decided by what the record is now, so that it is sent next. */
	isDecided?: boolean;
	/** The labels of body and query fields in the editor, for advice. */
	labels?: Record<string, string>;
	/** What the specification says of the fields' values, for advice. */
	formats?: Record<string, string>;
	/** The advice if the API answers that a unique value is taken. */
	adviceIfTaken?: string;
	/** The parameters that contain IDs, with their values, for advice. */
	identifiers?: Identifier[];
}

/** A parameter that names a record. */
export interface Identifier {
	label: string;
	value: string;
	/** The label that the editor showed, if it was selected from a list. */
	selectedLabel?: string;
}

export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** The functions that n8n passes to a node that calls the API. */
export type CallingFunctions =
	IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions | IExecuteFunctions;

/** Default settings for sending requests (docs/operations.md, "Options"). */
export const DEFAULT_SETTINGS = { maxRequestsAtOnce: 50, maxRetries: 5 };

export type CallSettings = Readonly<typeof DEFAULT_SETTINGS>;

/** One API, ready to be called on behalf of one run. */
export interface Api {
	functions: CallingFunctions;
	http: HttpSettings;
	baseUrl: string;
	/** What identifies the community, see {@link addressKey}. */
	address: string;
	/** As n8n decrypted it when the API was opened; every request is sent with this one. */
	credential: ICredentialDataDecryptedObject;
	settings: CallSettings;
	/** Shared by all callers of a community with the same source system. */
	limiter: Limiter;
	/** Cancels the run. After that, nothing is sent. */
	cancellation: Cancellation;
	log(text: string): void;
	/** Hides the key and the secret in a text that leaves the node. */
	redact(text: string): string;
	/** How many requests of the run were sent again, and the most attempts of one that still failed. */
	throttling: { retried: number; maxFailedAttempts: number };
	/** See `call`. `cancelled` cancels this request alone. */
	send(request: ApiRequest, cancelled?: Cancellation): Promise<HttpAnswer>;
}

/** Sends requests: an API, or an item that records what it sends. */
export type Sender = Pick<Api, 'send'>;
