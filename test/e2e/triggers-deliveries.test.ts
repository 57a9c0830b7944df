import { outputOf } from '../../dev/n8n/client.mts';
import { productionUrl } from '../../dev/n8n/webhooks.mts';
import { until } from '../../dev/tools/wait.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { AFTER, type Answer, deliver, joined, jobsOf, saveTrigger } from './support/delivering.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';
const BURST = 20;
const REFUSAL_TIMEOUT_MS = 50_000;
const accepted: Answer = { status: 200, data: { message: 'Event accepted' } };
const headers = { 'x-webhook-secret': SECRET };

const scenery = useStage({ members: 30, webhookSecret: SECRET });
const { activate, open } = useActivation(scenery);

describe('A delivery', () => {
	test('is accepted with the right secret in any place, and with no other', async () => {
		const workflow = await saveTrigger(scenery);
		const url = await open(workflow);
		const secret = encodeURIComponent(SECRET);

		const refused = [
			await deliver(url, joined(90)),
			await deliver(url, joined(91), { 'x-webhook-secret': SECRET.slice(0, -1) }),
			await deliver(url, joined(92), { authorization: `Bearer ${SECRET}!` }),
			await deliver(`${url}?secret=${secret}!`, joined(93)),
		];
		expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
		const good = [
			await deliver(url, joined(1), headers),
			await deliver(url, joined(2), { authorization: `Bearer ${SECRET}` }),
			await deliver(`${url}?secret=${secret}`, joined(3)),
		];
		expect(good).toEqual([accepted, accepted, accepted]);

		const executions = await executionsOf(scenery, workflow, 3);
		expect(jobsOf(executions)).toEqual([1, 2, 3]);
		expect(outputOf(executions[0], AFTER)).toHaveLength(1);
	});

	test('is refused, or left alone, without an execution where it is no event that was asked for', async () => {
		const workflow = await saveTrigger(scenery, { events: ['member.joined'] });
		const url = await open(workflow);

		const waiting = await deliver(url, joined(1, 'member.joined_waitlist'), headers);
		expect(waiting).toEqual({ status: 200, data: { message: 'Event not selected' } });
		expect((await deliver(url, { ...joined(2), entities: [] }, headers)).status).toBe(400);
		expect(await deliver(url, joined(3), headers)).toEqual(accepted);

		expect(jobsOf(await executionsOf(scenery, workflow, 1))).toEqual([3]);
	});

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
