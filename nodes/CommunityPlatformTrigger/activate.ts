import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { CommunityPlatformCredential } from '../shared/transport';
import { CREDENTIAL, logLine, normalizeBaseUrl } from '../shared/transport';
import { shortened, asFailure } from '../shared/transport/failure';
import { isInRanges, readAllowlist } from './allowlist';
import type { Options } from './properties';

// Addresses that are not reachable from the internet (RFC 6890, RFC 6598, RFC 4193, RFC 4291).
const { ranges: LOCAL } = readAllowlist(
	'0.0.0.0/8 127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 100.64.0.0/10 ::1 fc00::/7 fe80::/10',
);

/**
 * n8n calls this when the workflow is activated, and when "Listen for test event" is pressed. The API has no endpoint
 * to subscribe at, so nothing is registered. The settings are checked now, because the user does not see later why
 * deliveries are refused.
 *
 * @throws NodeOperationError when no delivery could be accepted
 */
export async function prepare(functions: IHookFunctions): Promise<void> {
	const needsSecret = functions.getNodeParameter('verification') !== 'none';
	const needsApi = functions.getNodeParameter('confirmWithApi', false) === true;
	const { ipAllowlist } = functions.getNodeParameter('options', {}) as Options;
	const { invalid } = readAllowlist(ipAllowlist);
	if (invalid.length > 0) {
		throw refusal(
			functions,
			`"IP Allowlist" has entries that are not IP addresses or ranges: ${shortened(invalid.join(', '))}`,
			'Write single addresses like 203.0.113.7 or ranges like 203.0.113.0/24, separated by commas.',
		);
	}
	if (needsSecret || needsApi) await checkCredential(functions, needsSecret, needsApi);
	warnIfLocal(functions);
}

async function checkCredential(
	functions: IHookFunctions,
	needsSecret: boolean,
	needsApi: boolean,
): Promise<void> {
	if (!functions.getNode().credentials?.[CREDENTIAL]) {
		throw refusal(
			functions,
			'This trigger needs a credential',
			'Choose one at the top of the node. Its "Webhook Secret" tells real events from forged ones.',
		);
	}
	const credential = await functions.getCredentials<CommunityPlatformCredential & IDataObject>(
		CREDENTIAL,
	);
	if (needsSecret && (credential.webhookSecret ?? '').trim() === '') {
		throw refusal(
			functions,
			'The credential has no webhook secret, so every event would be refused',
			'Open the credential, enter a long random text as "Webhook Secret", and have the community send the same text with each event. Or set "Verification" to "None".',
		);
	}
	if (!needsApi) return;
	try {
		normalizeBaseUrl(credential.baseUrl);
	} catch (error) {
		const { message, advice } = asFailure(error);
		throw refusal(functions, message, advice);
	}
}

// When an activation fails, n8n shows only the message, so the advice is part of it.
function refusal(functions: IHookFunctions, message: string, advice: string): NodeOperationError {
	return new NodeOperationError(functions.getNode(), `${message}. ${advice}`, {
		description: advice,
	});
}

function warnIfLocal(functions: IHookFunctions): void {
	const url = functions.getNodeWebhookUrl('default');
	if (url === undefined || !isLocal(url)) return;
	functions.logger.warn(
		logLine(
			functions,
			`a community on the internet cannot reach ${new URL(url).origin}. Make this n8n reachable at a public address and set WEBHOOK_URL to it, or use the Community Platform Polling Trigger instead.`,
		),
	);
}

/** Whether a URL is reachable from this machine or its own network only. */
export function isLocal(url: string): boolean {
	let hostname: string;
	try {
		({ hostname } = new URL(url));
	} catch {
		return false;
	}
	const host = hostname.replace(/^\[|\]$/g, '');
	if (isInRanges(host, LOCAL)) return true;
	const isAddress = host.includes(':') || /^[\d.]+$/.test(host);
	return !isAddress && (!host.includes('.') || /\.(localhost|local|internal|lan)$/.test(host));
}
