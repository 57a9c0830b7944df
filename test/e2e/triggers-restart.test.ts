import { EVERY_SECOND } from '../../dev/n8n/polling.mts';
import { productionUrl, untilRegistered } from '../../dev/n8n/webhooks.mts';
import { executionsOf, polls, useActivation } from './support/active.mts';
import { jobsOf, membersOf, saveTrigger } from './support/delivering.mts';
import { useFixture } from './support/use-fixture.mts';

const SECRET = 'neither in data nor in logs';

const fixture = useFixture({ members: 30, webhookSecret: SECRET });
const { activate, open } = useActivation(fixture);

test("the triggers' state survives a restart, and the secret appears in no execution or log", async () => {
	const { n8n, sandbox } = fixture;
	const { community, webhooks, apiKey, sourceSystem } = sandbox;
	const webhook = await saveTrigger(fixture);
	const pollTimes = { item: [{ mode: 'custom', cronExpression: EVERY_SECOND }] };
	const polling = await saveTrigger(fixture, { pollTimes }, 'communityPlatformPollingTrigger');
	const url = await open(webhook);
	await activate(polling);
	webhooks.set([
		{ url, secret: SECRET },
		{ url, secret: SECRET, via: 'bearer' },
		{ url, secret: SECRET, via: 'query' },
		{ url, secret: `${SECRET}!` },
	]);
	await polls(fixture);

	// Each event is sent with the secret in every supported place, and once with a wrong secret.
	community.join({ first_name: 'Ada' });
	await webhooks.settled();
	await polls(fixture);
	community.join({ first_name: 'Linus' });
	await webhooks.settled();
	const statuses = webhooks.deliveries.map(({ status }) => status);
	expect(statuses).toEqual([200, 200, 200, 401, 200, 200, 200, 401]);
	const jobs = [...new Set(webhooks.deliveries.map(({ payload }) => payload.job_id))];
	expect(jobsOf(await executionsOf(fixture, webhook, 6)).sort((a, b) => a - b)).toEqual(jobs);
	expect(membersOf(await executionsOf(fixture, polling, 2))).toEqual(['Ada', 'Linus']);

	await n8n.stop();
	webhooks.set([]);
	community.join({ first_name: 'Margaret' });
	community.join({ first_name: 'Alan' });
	await n8n.start({ N8N_LOG_LEVEL: 'debug' });
	await untilRegistered(productionUrl(fixture.url, webhook));
	const accepted = webhooks.deliveries.filter(({ status }) => status === 200);
	await Promise.all(accepted.map(({ number }) => webhooks.repeat(number)));
	webhooks.set([{ url, secret: SECRET }]);
	await webhooks.send('member.joined', { user: [{ msid: '7.a1', first_name: 'Edsger' }] });

	const delivered = await executionsOf(fixture, webhook, 13);
	const [last] = webhooks.deliveries.slice(-1);
	expect(jobsOf(delivered).sort((a, b) => a - b)).toEqual([...jobs, last.payload.job_id]);
	await polls(fixture);
	community.join({ first_name: 'Barbara' });
	const polled = await executionsOf(fixture, polling, 4);
	expect(membersOf(polled)).toEqual(['Ada', 'Linus', 'Margaret', 'Alan', 'Barbara']);

	const basic = Buffer.from(`${sourceSystem}:${apiKey}`).toString('base64');
	const written = JSON.stringify([delivered, polled]) + (await n8n.log());
	expect(written).toContain('Margaret');
	for (const secret of [SECRET, encodeURIComponent(SECRET), basic, apiKey]) {
		expect(written.includes(secret)).toBe(false);
	}
}, 180_000);
