import type { Execution, SavedWorkflow } from '../../dev/n8n/client.mts';
import { outputOf } from '../../dev/n8n/client.mts';
import { until } from '../../dev/tools/wait.mts';
import { productionUrl, untilRegistered } from '../../dev/n8n/webhooks.mts';
import type { User } from '../../sandbox/records.mts';
import { executionsOf } from './support/active.mts';
import { jobsOf, saveTrigger, TRIGGER } from './support/delivering.mts';
import { useOwnN8n } from './support/own-n8n.mts';
import { EVERY_SECOND } from '../../dev/n8n/polling.mts';

const SECRET = 'neither in data nor in logs';
const POLL_TIMEOUT_MS = 30_000;

const scenery = useOwnN8n({ members: 30, webhookSecret: SECRET });

async function save(): Promise<{ webhook: SavedWorkflow; polling: SavedWorkflow }> {
	const pollTimes = { item: [{ mode: 'custom', cronExpression: EVERY_SECOND }] };
	const workflows = {
		webhook: await saveTrigger(scenery),
		polling: await saveTrigger(scenery, { pollTimes }, 'communityPlatformPollingTrigger'),
	};
	await scenery.client.activate(workflows.webhook.id);
	await scenery.client.activate(workflows.polling.id);
	return workflows;
}

/** Waits until the polling trigger has polled that often again. */
async function polls(times: number): Promise<void> {
	const { requests } = scenery.sandbox;
	const count = () => requests.matching('GET', '/api/v1/users').length;
	const enough = count() + times;
	await until('the next poll', async () => count() >= enough, POLL_TIMEOUT_MS);
}

function found(executions: Execution[]): unknown[] {
	return executions.flatMap((each) =>
		(outputOf(each, TRIGGER) as User[]).map(({ first_name }) => first_name),
	);
}

test('what the triggers know survives a restart, and the secret is nowhere to be read', async () => {
	const { community, webhooks } = scenery.sandbox;
	const { webhook, polling } = await save();
	const url = productionUrl(scenery.url, webhook);
	await untilRegistered(url);
	webhooks.set([
		{ url, secret: SECRET },
		{ url, secret: SECRET, via: 'bearer' },
		{ url, secret: SECRET, via: 'query' },
		{ url, secret: `${SECRET}!` },
	]);
	await polls(2);

	// Each event comes by every way that a secret can take, and once with a wrong one.
	community.join({ first_name: 'Ada' });
	community.join({ first_name: 'Grace' });
	await webhooks.settled();
	await polls(2);
	community.join({ first_name: 'Linus' });
	await webhooks.settled();
	await polls(2);
	const statuses = () => webhooks.deliveries.map(({ status }) => status);
	expect(statuses()).toEqual(Array.from({ length: 3 }, () => [200, 200, 200, 401]).flat());
	const jobs = [...new Set(webhooks.deliveries.map(({ payload }) => payload.job_id))];
	const before = await executionsOf(scenery, webhook, 9);
	expect(jobsOf(before).sort((a, b) => a - b)).toEqual(jobs);
	expect(found(await executionsOf(scenery, polling, 2))).toEqual(['Ada', 'Grace', 'Linus']);

	await scenery.stop();
	webhooks.set([]);
	community.join({ first_name: 'Margaret' });
	community.join({ first_name: 'Alan' });
	await scenery.start();
	await untilRegistered(url);
	const accepted = webhooks.deliveries.filter(({ status }) => status === 200);
	await Promise.all(accepted.map(({ number }) => webhooks.repeat(number)));
	webhooks.set([{ url, secret: SECRET }]);
	await webhooks.send('member.joined', { user: [{ msid: '7.a1', first_name: 'Edsger' }] });

	const after = await executionsOf(scenery, webhook, 19);
	const [last] = webhooks.deliveries.slice(-1);
	expect(jobsOf(after).sort((a, b) => a - b)).toEqual([...jobs, last.payload.job_id]);
	await polls(2);
	community.join({ first_name: 'Barbara' });
	const polled = await executionsOf(scenery, polling, 4);
	expect(found(polled)).toEqual(['Ada', 'Grace', 'Linus', 'Margaret', 'Alan', 'Barbara']);

	await scenery.stop();
	const { apiKey, sourceSystem } = scenery.sandbox;
	const basic = Buffer.from(`${sourceSystem}:${apiKey}`).toString('base64');
	const written = [JSON.stringify([...after, ...polled]), await scenery.log()].join();
	expect(written).toContain('Margaret');
	for (const secret of [SECRET, encodeURIComponent(SECRET), basic, apiKey]) {
		expect(written.includes(secret)).toBe(false);
	}
}, 180_000);
