import { sleep, type FunctionsBase, type ICredentialDataDecryptedObject } from 'n8n-workflow';
import { name, version } from '../../../package.json';
import { Limiter } from '../limiter/queue';
import type { Cancellation } from '../async/cancel';
import { Failure } from '../failure';
import { LINE_BREAK, counted, trimmed } from '../text';
import type { Api, CallSettings, CallingFunctions } from './api';
import { CREDENTIAL, DEFAULT_SETTINGS } from './api';
import { addressKey, normalizeBaseUrl } from './baseUrl';
import { call } from './call';
import { redacted } from './redact';
import type { HttpSettings } from './httpSettings';

/** Opens the API that the node's credential names, as {@link toApi} does. */
export async function connect(
	functions: CallingFunctions,
	cancellation: Cancellation,
	settings = DEFAULT_SETTINGS,
	http: HttpSettings = {},
): Promise<Api> {
	return toApi(functions, await functions.getCredentials(CREDENTIAL), cancellation, settings, http);
}

/** @throws Failure if the base URL in the credential cannot be used */
export function toApi(
	functions: CallingFunctions,
	credential: ICredentialDataDecryptedObject,
	cancellation: Cancellation,
	settings: CallSettings,
	http: HttpSettings,
): Api {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const { username, password } = toLogin(credential);
	requireSourceSystem(username);
	const login = `${username}:${password}`;
	const { auth } = http.proxy ?? {};
	const ofProxy = auth ? [`${auth.username}:${auth.password}`, String(auth.password)] : [];
	const secrets = [login, password, trimmed(credential.webhookSecret), ...ofProxy];
	const redact = (text: string) => redacted(text, secrets);
	const address = addressKey(baseUrl);
	const limiter = limiterOf(`${address} ${username}`);
	return sending({
		functions,
		http,
		baseUrl,
		address,
		credential,
		settings,
		limiter,
		cancellation,
		redact,
		log: (text) => functions.logger.info(logLine(functions, redact(`${baseUrl}: ${text}`))),
		throttling: { retried: 0, maxFailedAttempts: 0 },
	});
}

// The API would answer that the key is wrong.
function requireSourceSystem(username: string): void {
	if (username !== '') return;
	throw new Failure(
		"'Source System' is empty",
		"Open the credential and enter a name for this n8n in 'Source System', e.g. n8n.",
		{ concernsEveryItem: true },
	);
}

/** Returns a client of the same API with other settings. */
export function sending(api: Omit<Api, 'send'>): Api {
	const client: Api = {
		...api,
		send: (request, cancelled) => call(client, request, cancelled),
	};
	return client;
}

const limiters = new Map<string, Limiter>();

function limiterOf(caller: string): Limiter {
	const existing = limiters.get(caller);
	if (existing) return existing;
	for (const [key, { isForgotten }] of limiters) if (isForgotten) limiters.delete(key);
	// A monotonic clock, because the time of day can be set back.
	const limiter = new Limiter({ now: () => performance.now(), sleep });
	limiters.set(caller, limiter);
	return limiter;
}

/** Returns a credential's login for HTTP basic authentication. */
export function toLogin({ sourceSystem, apiKey }: ICredentialDataDecryptedObject) {
	// A colon ends the user name (RFC 7617, section 2), so the rest would be taken for the key.
	return { username: trimmed(sourceSystem).replace(/:/g, '-'), password: trimmed(apiKey) };
}

/** The User-Agent of every request (docs/api/README.md, "Authentication"), without what a header cannot contain. */
export function userAgent(sourceSystem: unknown): string {
	return `${name}/${version} (${trimmed(sourceSystem).replace(/[^\x20-\x7e]/g, '')})`;
}

/** Returns one line for n8n's log, which all workflows share, so that no text of the API can forge another. */
export function logLine(
	functions: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>,
	text: string,
): string {
	const { id, name: workflow } = functions.getWorkflow();
	const node = JSON.stringify(functions.getNode().name);
	const line = text.replace(LINE_BREAK, ' ');
	return `Community Platform: ${node} in workflow ${JSON.stringify(workflow)} (${id}): ${line}`;
}

/** Logs how many requests of a run were sent again, and returns a sentence about it. Undefined if none was. */
export function logThrottling({
	settings: { maxRetries },
	throttling: { retried, maxFailedAttempts },
	log,
}: Api): string | undefined {
	if (retried === 0) return undefined;
	const slowdown = `${counted(retried, 'request')} sent again`;
	log(slowdown);
	if (maxFailedAttempts === 0)
		return `The community slowed this execution down (${slowdown}). To wait less, run the workflow at a quieter time.`;
	const reason = `The community did not accept a request in ${maxFailedAttempts} attempts.`;
	// The limiter ended the attempts, because the community refused everything for minutes.
	if (maxFailedAttempts <= maxRetries)
		return `${reason} The node gives up sooner than 'Max Retries' allows if the community refuses everything for two minutes.`;
	return `${reason} To wait longer, raise 'Max Retries': 5 retries take about 13 seconds, and 20 about 6 minutes.`;
}
