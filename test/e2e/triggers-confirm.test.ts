import { outputOf } from '../../dev/n8n/client.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { AFTER, deliver, joined, jobsOf, saveTrigger, TRIGGER } from './support/delivering.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';

const scenery = useStage({ members: 30, webhookSecret: SECRET });
const { open } = useActivation(scenery);

describe('Confirming with the API', () => {
	test('emits what the API knows, and nothing for a member it does not know', async () => {
		const { webhooks, community } = scenery.sandbox;
		const workflow = await saveTrigger(scenery, { confirmWithApi: true });
		const url = await open(workflow);
		webhooks.set([{ url, secret: SECRET }]);
		const { msid, email } = community.addUser({ first_name: 'Ada' });

		await deliver(url, joined(1), { 'x-webhook-secret': SECRET });
		const claimed = { msid, first_name: 'Eve', email: 'eve@elsewhere.example' };
		await webhooks.send('member.joined', { user: [claimed] });

		const executions = await executionsOf(scenery, workflow, 2);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		const [forged, real] = executions;
		expect(outputOf(forged, TRIGGER)).toEqual([]);
		expect(forged.data.resultData.runData[AFTER]).toBeUndefined();
		expect(outputOf(real, TRIGGER)).toEqual([
			expect.objectContaining({
				user: expect.objectContaining({ msid, first_name: 'Ada', email }),
			}),
		]);
	});

	test('fails visibly while the API is down, can be retried, and nothing is lost or doubled', async () => {
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
		expect(failed.data.resultData.lastNodeExecuted).toBe(TRIGGER);
		expect(failed.data.resultData.error?.message).toContain('maintenance');

		const [stillDown] = [await client.retryExecution(failed.id)];
		expect(stillDown).toMatchObject({ status: 'error', mode: 'retry', retryOf: failed.id });

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
		const all = await executionsOf(scenery, workflow, 4);
		expect(jobsOf(all)).toHaveLength(1);
	});

	test('takes a delivery that comes again after a failed run for a new one', async () => {
		const { webhooks, community, faults } = scenery.sandbox;
		const workflow = await saveTrigger(scenery, { confirmWithApi: true });
		webhooks.set([{ url: await open(workflow), secret: SECRET }]);
		faults.add({ kind: 'status', status: 503, retryAfter: 3600 });
		community.join({ first_name: 'Ada' });
		await executionsOf(scenery, workflow, 1);

		faults.clear();
		await webhooks.repeat(1, 3);

		const executions = await executionsOf(scenery, workflow, 4);
		expect(executions.map(({ status }) => status).sort()).toEqual([
			...['error', 'success', 'success', 'success'],
		]);
		expect(jobsOf(executions)).toHaveLength(1);
	});
});
