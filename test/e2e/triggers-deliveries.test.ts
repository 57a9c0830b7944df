import { productionUrl } from '../../dev/n8n/webhooks.mts';
import { until } from '../../dev/tools/wait.mts';
import { useActivation } from './support/active.mts';
import { deliver, joined, saveTrigger } from './support/delivering.mts';
import { useFixture } from './support/use-fixture.mts';
import { CREDENTIAL } from '../../nodes/shared/transport/api.ts';

const SECRET = 'a long random text';
const REFUSAL_TIMEOUT_MS = 50_000;

const fixture = useFixture({ members: 30, webhookSecret: SECRET });
const { activate } = useActivation(fixture);

test('a workflow cannot be activated if the credential has no secret, and n8n shows the reason', async () => {
	const { client, sandbox } = fixture;
	const { baseUrl, sourceSystem, apiKey } = sandbox;
	const data = { baseUrl, sourceSystem, apiKey, webhookSecret: '' };
	const credential = await client.createCredential('No secret', CREDENTIAL, data);
	const workflow = await saveTrigger({ client, credential });

	await activate(workflow);

	const publication = await until(
		'the activation to be refused',
		async () => {
			const found = await client.publication(workflow.id);
			return found.status === 'failed' && found;
		},
		REFUSAL_TIMEOUT_MS,
	);
	expect(publication.triggers).toEqual([
		expect.objectContaining({
			errorMessage: expect.stringContaining("enter a long random text as 'Webhook Secret'"),
		}),
	]);
	const url = productionUrl(fixture.url, workflow);
	expect((await deliver(url, joined(1), { 'x-webhook-secret': '' })).status).toBe(404);
});
