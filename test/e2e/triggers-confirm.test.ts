import { outputOf } from '../../dev/n8n/client.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { AFTER, jobsOf, saveTrigger, TRIGGER } from './support/delivering.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';

const scenery = useStage({ members: 30, webhookSecret: SECRET });
const { open } = useActivation(scenery);

test('a confirming trigger fails visibly while the API is down, can be retried, and nothing is lost or doubled', async () => {
	const { sandbox, client } = scenery;
	const { webhooks, community, faults } = sandbox;
	const workflow = await saveTrigger(scenery, { confirmWithApi: true });
	webhooks.set([{ url: await open(workflow), secret: SECRET }]);
	// Longer than any retry waits, so that the failure comes at once.
	faults.add({ kind: 'status', status: 503, retryAfter: 3600, message: 'ERR_V1 maintenance' });

	const { msid } = community.join({ first_name: 'Ada' });
	const [failed] = await executionsOf(scenery, workflow, 1);
	expect(webhooks.deliveries.map(({ status }) => status)).toEqual([200]);
	expect(failed.status).toBe('error');
	expect(failed.data.resultData.error?.message).toContain('maintenance');

	faults.clear();
	const retried = await client.retryExecution(failed.id);
	expect(retried).toMatchObject({ status: 'success', mode: 'retry', retryOf: failed.id });
	const execution = await client.execution(retried.id);
	expect(outputOf(execution, TRIGGER)).toEqual([
		expect.objectContaining({ user: expect.objectContaining({ msid, first_name: 'Ada' }) }),
	]);
	expect(outputOf(execution, AFTER)).toHaveLength(1);

	const [{ number }] = webhooks.deliveries;
	await webhooks.repeat(number);
	expect(jobsOf(await executionsOf(scenery, workflow, 3))).toHaveLength(1);
});
