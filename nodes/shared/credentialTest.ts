import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { asFailure, type Failure } from './failure';
import { pickerSender } from './pickers';
import { OWN_DETAILS, isElsewhere, signed } from './transport';

const NOT_THE_API =
	"A server answered at this address, but it is not the API of a community. In 'Base URL', enter the address of your community, e.g. https://community.example.com.";

const KEY_REFUSED =
	"The community did not accept this key. Check 'API Key' and 'Source System', and that 'Base URL' is the address of your community.";

const BUSY = 'The community is getting too many requests right now. Try again in a moment.';

const BY_STATUS: Record<number, string> = { 401: KEY_REFUSED, 403: KEY_REFUSED, 429: BUSY };

const SETTINGS = { maxRequestsAtOnce: 1, maxRetries: 0 };

/**
 * The test of the credential, which reads the owner of the key. n8n's declarative form of a test would show only a code
 * if no answer comes (docs/decisions.md, E28).
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	// The only helper for HTTP that n8n passes to a test.
	const { request } = this.helpers;
	const functions = {
		logger: this.logger,
		getCredentials: async () => data,
		getCurrentNodeParameter: () => undefined,
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
				(await request(inOlderForm(signed(data, options)))) as unknown,
		},
	};
	const inEditor = functions as unknown as ILoadOptionsFunctions;
	return await pickerSender(inEditor, "check 'Base URL'", SETTINGS)
		.then(async (community) => await community.send(OWN_DETAILS))
		.then(
			() => ({ status: 'OK', message: 'Connection successful!' }),
			(error: unknown) => ({ status: 'Error', message: messageFor(asFailure(error)) }),
		);
}

function messageFor(failure: Failure): string {
	const { message, advice, details } = failure;
	const { httpCode = 0 } = details;
	// The Failure of a redirect names its target.
	const isRedirect = httpCode >= 300 && httpCode < 400;
	if (isElsewhere(failure) && !isRedirect) return NOT_THE_API;
	return BY_STATUS[httpCode] ?? `${message}. ${advice}`;
}

// For n8n's older request helper (n8n-workflow, `IRequestOptions`).
function inOlderForm(options: IHttpRequestOptions): object {
	const { method, url, headers, auth, timeout, skipSslCertificateValidation } = options;
	return {
		method,
		uri: url,
		headers,
		auth: { user: auth?.username, pass: auth?.password },
		timeout,
		json: true,
		simple: false,
		resolveWithFullResponse: true,
		followRedirect: false,
		...(skipSslCertificateValidation && { rejectUnauthorized: false }),
	};
}
