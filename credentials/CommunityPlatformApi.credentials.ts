import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import {
	API_PATH,
	BASE_URL_EXPRESSION,
	CREDENTIAL,
	normalizeBaseUrl,
	toLogin,
	userAgent,
} from '../nodes/shared/transport';

const NOT_THE_API =
	"A server answered at this address, but it is not the API of a community. In 'Base URL', enter the address of your community, e.g. https://community.example.com.";

const KEY_REFUSED =
	"The community did not accept this key. Check 'API Key' and 'Source System', and that 'Base URL' is the address of your community.";

const MOVED =
	'This address redirects to another one. Enter the address that your browser shows after it has opened the community.';

const BUSY = 'The community is getting too many requests right now. Try again in a moment.';

// Outside of the list, because n8n's linter mistakes every name with "cert" for a secret, and n8n hides secrets.
const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description:
		"Whether to connect even if the community's certificate is not valid. Applies to all nodes and to this test.",
};

/** HTTP basic authentication with an API key (docs/api/README.md, "Authentication"). */
export class CommunityPlatformApi implements ICredentialType {
	name = CREDENTIAL;

	displayName = 'Community Platform API';

	icon: Icon = {
		light: 'file:../icons/community-platform.svg',
		dark: 'file:../icons/community-platform.dark.svg',
	};

	documentationUrl =
		'https://github.com/community-platform/n8n-nodes-community-platform#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://community.example.com',
			description: 'With http:// instead of https://, the API key and all data travel unencrypted',
			hint: 'The address of your community, e.g. https://community.example.com',
		},
		{
			displayName: 'Source System',
			name: 'sourceSystem',
			type: 'string',
			default: 'n8n',
			required: true,
			placeholder: 'e.g. n8n',
			description: 'Sent as the user name',
			hint: "The name of this n8n in the community's logs and audits",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'n8n can do everything that the owner of this key can do in the community. Sent as the password.',
			hint: 'You can find it on your profile page in the community',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				"Proves that events come from your community. Enter the same text in your community's webhook settings.",
			hint: 'Only for the Community Platform Trigger. Use a long random string and keep a copy, because n8n will not show it again.',
		},
		allowUnauthorizedCerts,
	];

	// A function, because n8n would evaluate the expressions of the declarative form for every request. That takes a fifth
	// of the time that it spends on an item.
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const { allowUnauthorizedCerts, baseUrl, sourceSystem } = credential;
		// In the test, n8n shows what this throws, but only a code if it cannot send a request.
		if (request.baseURL !== undefined) normalizeBaseUrl(baseUrl);
		// Not a copy, because V8 is slow at copying so many fields. n8n makes the object for this request.
		if (allowUnauthorizedCerts === true) request.skipSslCertificateValidation = true;
		request.auth = toLogin(credential);
		request.headers = { ...request.headers, 'User-Agent': userAgent(sourceSystem) };
		return request;
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: BASE_URL_EXPRESSION,
			url: `${API_PATH}/users/me`,
			headers: { 'Content-Type': 'application/json' },
			disableFollowRedirect: true,
		},
		rules: [
			...[401, 403].map((value) => ruleFor(value, KEY_REFUSED)),
			...[404, 405].map((value) => ruleFor(value, NOT_THE_API)),
			...[301, 302, 307, 308].map((value) => ruleFor(value, MOVED)),
			ruleFor(429, BUSY),
			// A web page, or anything else that is not a member's record.
			{
				type: 'responseSuccessBody',
				properties: { key: 'user_id', value: undefined, message: NOT_THE_API },
			},
		] as ICredentialTestRequest['rules'],
	};
}

function ruleFor(value: number, message: string) {
	return { type: 'responseCode' as const, properties: { value, message } };
}
