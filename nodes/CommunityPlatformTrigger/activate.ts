import { NodeOperationError, type IHookFunctions, type IWebhookFunctions } from 'n8n-workflow';
import { Failure, asFailure } from '../shared/failure';
import { readFilters } from '../shared/triggerParameters';
import { trimmed } from '../shared/text';
import { CREDENTIAL, logLine, normalizeBaseUrl } from '../shared/transport';
import { allowlistOf } from './allowlist';
import { readerOf } from './properties';

const SHORTEST_SECRET = 16;

/** Checks the settings when the workflow is activated or tested, because n8n does not show why deliveries are refused later. */
export async function prepare(functions: IHookFunctions): Promise<void> {
	try {
		await check(functions);
	} catch (error) {
		const { message, advice } = asFailure(error);
		// When an activation fails, n8n shows only the message, so the advice is part of it.
		throw new NodeOperationError(functions.getNode(), `${message}. ${advice}`);
	}
}

/** Whether two of the settings need `execute`, which n8n's Engine 2.0 never calls (docs/decisions.md, E14). */
export function needsOtherEngine(functions: IHookFunctions | IWebhookFunctions): boolean {
	if (functions.getWorkflowSettings().engineType !== 'v2') return false;
	const read = readerOf(functions);
	return read('confirmWithApi') === true || read('options.ignoreDuplicates') === true;
}

async function check(functions: IHookFunctions): Promise<void> {
	if (needsOtherEngine(functions)) {
		throw new Failure(
			"In a workflow on n8n's Engine 2.0, 'Confirm with API' and 'Ignore Duplicates' do not work",
			"Switch off 'Confirm with API', add 'Ignore Duplicates' under 'Options', and switch it off, too.",
		);
	}
	allowlistOf(functions);
	readFilters(functions);
	const read = readerOf(functions);
	read('events');
	const needsSecret = read('verification') === 'secret';
	const needsApi = read('confirmWithApi') === true;
	if (!needsSecret && !needsApi) return;
	if (!functions.getNode().credentials?.[CREDENTIAL]) {
		throw new Failure(
			'This trigger needs a credential',
			"Choose one at the top of the node. Its 'Webhook Secret' tells real events from forged ones.",
		);
	}
	const { baseUrl, webhookSecret } = await functions.getCredentials(CREDENTIAL);
	const { length } = trimmed(webhookSecret);
	if (needsSecret && length === 0) {
		throw new Failure(
			'The credential has no webhook secret, so every event would be refused',
			"Open the credential, enter a long random text as 'Webhook Secret', and enter the same text in your community's webhook settings. Or set 'Verification' to 'None', but then anyone who knows the URL can send events.",
		);
	}
	if (needsSecret && length < SHORTEST_SECRET) {
		const text = `the webhook secret has fewer than ${SHORTEST_SECRET} characters, so it can be guessed. Enter a long random text as 'Webhook Secret' in the credential and in the community's webhook settings.`;
		functions.logger.warn(logLine(functions, text));
	}
	if (needsApi) normalizeBaseUrl(baseUrl);
}
