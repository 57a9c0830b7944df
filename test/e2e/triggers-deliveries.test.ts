import { outputOf } from '../../dev/n8n/client.mts';
import { until } from '../../dev/tools/wait.mts';
import { productionUrl, untilGone } from '../../dev/n8n/webhooks.mts';
import { executionsOf, useActivation } from './support/active.mts';
import type { Answer } from './support/delivering.mts';
import { AFTER, deliver, joined, jobsOf, saveTrigger, TRIGGER } from './support/delivering.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';
const BURST = 100;
const REFUSAL_TIMEOUT_MS = 50_000;
const accepted: Answer = { status: 200, data: { message: 'Event accepted' } };
const unverified: Answer = { status: 401, data: { message: 'The secret is missing or wrong' } };

const scenery = useStage({ members: 30, webhookSecret: SECRET });
const { activate, open } = useActivation(scenery);

describe('A delivery', () => {
	test('is accepted with the right secret in any place, and with no other', async () => {
		const workflow = await saveTrigger(scenery);
		const url = await open(workflow);
		const secret = encodeURIComponent(SECRET);

		const refused = [
			deliver(url, joined(90)),
			deliver(url, joined(91), { 'x-webhook-secret': 'another' }),
			deliver(url, joined(92), { 'x-webhook-secret': `${SECRET}!` }),
			deliver(url, joined(93), { 'x-webhook-secret': SECRET.slice(0, -1) }),
			deliver(url, joined(94), { authorization: `Bearer ${SECRET}!` }),
			deliver(`${url}?secret=${secret}!`, joined(95)),
			deliver(`${url}?secret=`, joined(96)),
		];
		expect(await Promise.all(refused)).toEqual(refused.map(() => unverified));
		const good = [
			await deliver(url, joined(1), { 'x-webhook-secret': SECRET }),
			await deliver(url, joined(2), { authorization: `Bearer ${SECRET}` }),
			await deliver(`${url}?secret=${secret}`, joined(3)),
		];
		expect(good).toEqual([accepted, accepted, accepted]);

		const executions = await executionsOf(scenery, workflow, 3);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		expect(jobsOf(executions)).toEqual([1, 2, 3]);
		expect(outputOf(executions[0], AFTER)).toHaveLength(1);
	});

	test('gives an item with every documented field of the member', async () => {
		const { webhooks, community } = scenery.sandbox;
		const workflow = await saveTrigger(scenery);
		webhooks.set([{ url: await open(workflow), secret: SECRET }]);

		const { msid } = community.join({ first_name: 'Ada', last_name: null });

		const [execution] = await executionsOf(scenery, workflow, 1);
		const [{ job_id }] = webhooks.deliveries.map(({ payload }) => payload);
		expect(outputOf(execution, TRIGGER)).toEqual([
			{
				event: 'member.joined',
				job_id,
				received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
				dedupe_key: `member.joined:${job_id}:${msid}`,
				user: expect.objectContaining({ msid, first_name: 'Ada', last_name: null, banner: null }),
			},
		]);
	});

	test('that is larger than n8n takes is refused by n8n, and starts nothing', async () => {
		const workflow = await saveTrigger(scenery);
		const url = await open(workflow);
		const headers = { 'x-webhook-secret': SECRET };
		const large = (megabytes: number) => ({ ...joined(1), pad: ' '.repeat(megabytes * 2 ** 20) });

		const { status, data } = await deliver(url, large(17), headers);
		expect([status, data]).toEqual([
			500,
			expect.objectContaining({ message: 'There was a problem executing the workflow' }),
		]);
		expect(await deliver(url, large(15), headers)).toEqual(accepted);
		await executionsOf(scenery, workflow, 1);
	});

	test('is acknowledged and left alone if its event is not selected', async () => {
		const workflow = await saveTrigger(scenery, { events: ['member.joined'] });
		const url = await open(workflow);
		const headers = { 'x-webhook-secret': SECRET };

		const passedOver = { status: 200, data: { message: 'Event not selected' } };
		const waiting = joined(1, 'member.joined_waitlist');
		expect(await deliver(url, waiting, headers)).toEqual(passedOver);
		expect(await deliver(url, joined(2, 'post.published'), headers)).toEqual(passedOver);
		expect(await deliver(url, joined(3), headers)).toEqual(accepted);

		expect(jobsOf(await executionsOf(scenery, workflow, 1))).toEqual([3]);
	});

	test('starts the workflow whatever its event if any event is selected', async () => {
		const workflow = await saveTrigger(scenery, { events: ['*'] });
		const url = await open(workflow);
		const headers = { 'x-webhook-secret': SECRET };
		const published = {
			event: 'post.published',
			job_id: 2,
			entities: { post: [{ post_id: 7, headline: 'News' }] },
		};

		const waiting = joined(1, 'member.joined_waitlist');
		expect(await deliver(url, waiting, headers)).toEqual(accepted);
		expect(await deliver(url, published, headers)).toEqual(accepted);

		const executions = await executionsOf(scenery, workflow, 2);
		expect(jobsOf(executions).sort()).toEqual([1, 2]);
		expect(executions.flatMap((each) => outputOf(each, TRIGGER))).toContainEqual(
			expect.objectContaining({ post: expect.objectContaining({ post_id: 7, headline: 'News' }) }),
		);
	});

	test('is refused without an execution if it is not an event', async () => {
		const workflow = await saveTrigger(scenery);
		const url = await open(workflow);
		const headers = { 'x-webhook-secret': SECRET };
		const bodies = [
			'',
			'null',
			'[]',
			'"text"',
			'{}',
			{ ...joined(1), event: 7 },
			{ ...joined(1), entities: [] },
			{ ...joined(1), entities: { user: {} } },
			{ ...joined(1), entities: { user: [] } },
			{ ...joined(1), entities: { user: [null] } },
			`{"event":"member.joined","job_id":1,"entities":${'{"a":['.repeat(200)}${']}'.repeat(200)}}`,
		];

		const answers = [];
		for (const body of bodies) answers.push(await deliver(url, body, headers));
		answers.push(await deliver(url, 'text', { ...headers, 'content-type': 'text/plain' }));
		answers.push(await deliver(url, '<a/>', { ...headers, 'content-type': 'application/xml' }));

		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
		// n8n itself refuses invalid JSON before it calls the node.
		for (const body of ['{', Buffer.from([0xff, 0xfe, 0, 1])]) {
			expect((await deliver(url, body, headers)).status).toBe(422);
		}
		expect(await deliver(url, joined(1), headers)).toEqual(accepted);
		expect(jobsOf(await executionsOf(scenery, workflow, 1))).toEqual([1]);
	});

	test('of a burst is never lost, and a repeat of it gives no items', async () => {
		const workflow = await saveTrigger(scenery);
		const url = await open(workflow);
		const jobs = Array.from({ length: BURST }, (_, index) => index + 1);
		const burst = async () =>
			await Promise.all(
				jobs.map((job) => deliver(url, joined(job), { 'x-webhook-secret': SECRET })),
			);

		expect(await burst()).toEqual(jobs.map(() => accepted));
		const first = await executionsOf(scenery, workflow, BURST);
		expect(jobsOf(first).sort((a, b) => a - b)).toEqual(jobs);

		expect(await burst()).toEqual(jobs.map(() => accepted));
		const all = await executionsOf(scenery, workflow, 2 * BURST);
		expect(all.filter(({ status }) => status !== 'success')).toEqual([]);
		expect(jobsOf(all).sort((a, b) => a - b)).toEqual(jobs);
		expect(all.filter((each) => each.data.resultData.runData[AFTER])).toHaveLength(BURST);
	}, 300_000);
});

describe('A workflow', () => {
	test('no longer answers once it is deactivated', async () => {
		const { client } = scenery;
		const workflow = await saveTrigger(scenery, { verification: 'none' });
		const url = await open(workflow);
		expect(await deliver(url, joined(1))).toEqual(accepted);
		await executionsOf(scenery, workflow, 1);

		await client.deactivate(workflow.id);
		await untilGone(url);

		expect((await deliver(url, joined(2))).status).toBe(404);
		await executionsOf(scenery, workflow, 1);
	});

	test('cannot be activated while the credential has no secret, and n8n says why', async () => {
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
				return found.status === 'failed' ? found : undefined;
			},
			REFUSAL_TIMEOUT_MS,
		);
		expect(publication.triggers).toEqual([
			expect.objectContaining({
				errorMessage: expect.stringContaining(
					'The credential has no webhook secret, so every event would be refused. Open the credential, enter a long random text as "Webhook Secret"',
				),
			}),
		]);
		const url = productionUrl(scenery.url, workflow);
		expect((await deliver(url, joined(1), { 'x-webhook-secret': '' })).status).toBe(404);
	});

	test('answers nothing but its allow list, and what is sent from elsewhere starts nothing', async () => {
		const closed = await saveTrigger(scenery, { options: { ipAllowlist: '203.0.113.0/24' } });
		const opened = await saveTrigger(scenery, { options: { ipAllowlist: '127.0.0.1, ::1' } });
		const [elsewhere, here] = [await open(closed), await open(opened)];
		const headers = { 'x-webhook-secret': SECRET, 'x-forwarded-for': '203.0.113.7' };

		expect(await deliver(elsewhere, joined(1), headers)).toEqual({
			status: 403,
			data: { message: 'This address is not on the IP allowlist' },
		});
		expect(await deliver(here, joined(1), headers)).toEqual(accepted);

		await executionsOf(scenery, opened, 1);
		expect(await scenery.client.executions({ workflowId: closed.id })).toEqual([]);
	});
});
