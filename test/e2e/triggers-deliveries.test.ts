import { productionUrl } from '../../dev/n8n/webhooks.mts';
import { until } from '../../dev/tools/wait.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { type Answer, deliver, joined, jobsOf, saveTrigger } from './support/delivering.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';
const BURST = 20;
const REFUSAL_TIMEOUT_MS = 50_000;
const accepted: Answer = { status: 200, data: { message: 'Event accepted' } };
const headers = { 'x-webhook-secret': SECRET };

const scenery = useStage({ members: 30, webhookSecret: SECRET });
const { activate, open } = useActivation(scenery);

describe('A delivery', () => {
	test('of a burst is never lost, and a repeat of it gives no items', async () => {
		const workflow = await saveTrigger(scenery);
		const url = await open(workflow);
		const jobs = Array.from({ length: BURST }, (_, index) => index + 1);
		const burst = async () =>
			await Promise.all(jobs.map((job) => deliver(url, joined(job), headers)));

		expect(await burst()).toEqual(jobs.map(() => accepted));
		const first = await executionsOf(scenery, workflow, BURST);
		expect(jobsOf(first).sort((a, b) => a - b)).toEqual(jobs);

		expect(await burst()).toEqual(jobs.map(() => accepted));
		const all = await executionsOf(scenery, workflow, 2 * BURST);
		expect(all.filter(({ status }) => status !== 'success')).toEqual([]);
		expect(jobsOf(all).sort((a, b) => a - b)).toEqual(jobs);
	});
});

test('a workflow cannot be activated while the credential has no secret, and n8n says why', async () => {
	const { client, sandbox } = scenery;
	const { baseUrl, sourceSystem, apiKey } = sandbox;
	const data = { baseUrl, sourceSystem, apiKey, webhookSecret: '' };
	const credential = await client.createCredential('No secret', 'communityPlatformApi', data);
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
	const url = productionUrl(scenery.url, workflow);
	expect((await deliver(url, joined(1), { 'x-webhook-secret': '' })).status).toBe(404);
});
