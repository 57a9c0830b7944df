import type { Sandbox } from './server.mts';

/**
 * What to enter in n8n's credential for a sandbox. All of it is made up, so it may be shown.
 *
 * @returns a line for each field, under its label there
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
