import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { API_PATH, BASE_URL_EXPRESSION, toLogin, userAgent } from '../nodes/shared/transport';

const NOT_THE_API =
	"This address answers, but not as the API of a community. Check 'Base URL': it is the community's own address, e.g. https://community.example.com.";

const KEY_REFUSED =
	"This key is not accepted. Check 'API Key' and 'Source System', and that 'Base URL' is the address of your community.";

const MOVED =
	'This address redirects to another one. Enter the address that your browser shows once it has opened the community.';

const BUSY = 'The community is getting too many requests right now. Try again in a moment.';

// Outside of the list, because n8n's linter takes every name with "cert" in it for a secret, and n8n does not show
// the value of a secret.
const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description:
		"Whether to connect even if the community's certificate is not valid, e.g. self-signed. Applies to the nodes, the triggers and this test.",
};

/** HTTP basic authentication with an API key (docs/api/README.md, "Authentication"). */
export class CommunityPlatformApi implements ICredentialType {
	name = 'communityPlatformApi';

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
			description:
				"The community's own address, or its custom domain. With http:// to a public host, the API key and all data travel unencrypted.",
			hint: 'Without http:// in front, https:// is used. EPROTO means that the address has only http://. The docs linked above explain other codes.',
		},
		{
			displayName: 'Source System',
			name: 'sourceSystem',
			type: 'string',
			default: 'n8n',
			required: true,
			placeholder: 'e.g. n8n',
			description:
				'The name under which the community sees the requests, for its logs and audits. Sent as the user name.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Sent as the password. In n8n you can do what the owner of the key can do in the community.',
			hint: 'You can find it on your profile page in the community',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				"The community sends it along with each event, so that only the community can start your workflows. Enter the same text in your community's webhook settings.",
			hint: 'Only for the Community Platform Trigger. Make up a long random text, and keep a copy: n8n will not show it again.',
		},
		allowUnauthorizedCerts,
	];

	// A function, because the declarative form has expressions that n8n evaluates for every request: a fifth of the time
	// that it spends on an item.
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const { allowUnauthorizedCerts, sourceSystem } = credential;
		return Object.assign({}, request, {
			skipSslCertificateValidation:
				request.skipSslCertificateValidation === true || allowUnauthorizedCerts === true,
			auth: toLogin(credential),
			headers: { ...request.headers, 'User-Agent': userAgent(sourceSystem) },
		});
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
			// A web page, or anything else but the record of a user.
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
