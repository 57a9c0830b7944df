import type { Sandbox } from './server.mts';

/**
 * The values to enter in n8n's credential for a sandbox. They are made up, so they are safe to show.
 *
 * @returns a line for each field, with its label
 */
export function credentialLines(sandbox: Sandbox): string {
	const { baseUrl, sourceSystem, apiKey, webhookSecret } = sandbox;
	const fields = {
		'Base URL': baseUrl,
		'Source System': sourceSystem,
		'API Key': apiKey,
		'Webhook Secret': webhookSecret,
	};
	return Object.entries(fields)
		.map(([label, value]) => `  ${label.padEnd(16)}${value}`)
		.join('\n');
}
