import axios from 'axios';
import type { SavedWorkflow } from './client.mts';
import { PACKAGE_NAME } from './paths.mts';
import { until } from '../tools/wait.mts';

const TRIGGER_TYPE = `${PACKAGE_NAME}.communityPlatformTrigger`;
const TIMEOUT_MS = 30_000;
const INTERVAL_MS = 100;

/**
 * The address to enter in the community's settings.
 *
 * @param url of the n8n instance, without a trailing slash
 * @param workflow one with a webhook trigger of the package
 * @returns the trigger's production URL
 * @throws if the workflow has no such trigger, or the trigger has no webhook ID
 */
export function productionUrl(url: string, { name, nodes }: SavedWorkflow): string {
	const trigger = nodes.find(({ type }) => type === TRIGGER_TYPE);
	if (trigger?.webhookId === undefined) throw new Error(`“${name}” has no webhook`);
	return `${url}/webhook/${trigger.webhookId}/webhook`;
}

/**
 * Waits until n8n serves a production URL, which takes a second or two after an activation. The request is not an
 * event, so it starts no execution.
 *
 * @param url what {@link productionUrl} returned
 * @throws on a timeout
 */
export async function untilRegistered(url: string): Promise<void> {
	const isKnown = async () => {
		const { status } = await axios.post(url, {}, { proxy: false, validateStatus: () => true });
		return status !== 404;
	};
	await until(`n8n to answer at ${url}`, isKnown, TIMEOUT_MS, INTERVAL_MS);
}
