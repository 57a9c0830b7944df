import { until } from '../../dev/tools/wait.mts';
import { useOwnN8n } from './support/own-n8n.mts';
import { saveWorkflow } from './support/workflow.mts';

const GRACE = 'N8N_GRACEFUL_SHUTDOWN_TIMEOUT';
const UPDATES = 12;
const SLOW_MS = 1_000;
const BEGUN_TIMEOUT_MS = 30_000;

const settings: Record<string, string> = {};
const own = useOwnN8n({ members: 40 }, settings);

const updated = () =>
	own.sandbox.requests.matching('PATCH', '/api/v1/users').filter(({ status }) => status === 200);

/** Begins a batch that takes some six seconds, and ends n8n with SIGTERM in the middle of it. */
async function endInTheMiddle() {
	const { community, settings: api, requests } = own.sandbox;
	const [roleId] = [...community.roles.keys()].slice(-1);
	const workflow = await saveWorkflow(own, 'Batch', [
		{
			name: 'Members',
			parameters: { resource: 'user', operation: 'getAll', limit: UPDATES },
		},
		{
			name: 'Roles',
			parameters: {
				...{ resource: 'user', operation: 'updateRole' },
				userId: { __rl: true, mode: 'id', value: '={{ $json.msid }}' },
				roleId: { __rl: true, mode: 'id', value: roleId },
				options: { maxRequestsAtOnce: 2 },
			},
		},
	]);
	requests.clear();
	api.delayMs = SLOW_MS;
	const id = await own.client.runWorkflow(workflow.id, 'Start');
	await until('the batch to begin', async () => updated().length > 1, BEGUN_TIMEOUT_MS);
	const code = await own.end('SIGTERM');
	api.delayMs = 0;
	return { id, workflow, code };
}

test('n8n that is asked to end first carries out its batches, as far as the time allows', async () => {
	settings[GRACE] = '60';
	await own.stop();
	await own.start();
	const whole = await endInTheMiddle();
	expect(whole.code).toBe(0);
	expect(updated()).toHaveLength(UPDATES);

	settings[GRACE] = '2';
	await own.start();
	expect((await own.client.execution(whole.id)).status).toBe('success');
	const cutOff = await endInTheMiddle();
	expect(cutOff.code).toBe(1);
	const before = updated().length;
	expect(before).toBeLessThan(UPDATES);

	await own.start();
	await until(
		'n8n to see that it was cut off',
		async () => (await own.client.execution(cutOff.id)).status === 'crashed',
		BEGUN_TIMEOUT_MS,
	);
	// Nothing of it goes on by itself; run again, it sets what is missing.
	expect(updated()).toHaveLength(before);
	const again = await own.client.runWorkflow(cutOff.workflow.id, 'Start');
	expect((await own.client.waitForExecution(again)).status).toBe('success');
	expect(new Set(updated().map(({ path }) => path)).size).toBe(UPDATES);
}, 240_000);
