import type { SavedWorkflow } from '../../dev/n8n/client.mts';
import { until } from '../../dev/tools/wait.mts';
import { membersOf, saveTrigger, TRIGGER } from './support/delivering.mts';
import { useStage } from './support/use-stage.mts';

const POLL_TIMEOUT_MS = 60_000;
const SLOW_MS = 4_000;

const own = useStage({
	members: 30,
	own: {
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		// n8n's defaults only make everything take longer.
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
		N8N_SCHEDULER_REAPER_INTERVAL: '1',
		N8N_SCHEDULER_LEASE_DURATION: '20',
		// Opens the endpoint with which n8n's own tests let what is scheduled run now.
		E2E_TESTS: 'true',
	},
});

// Only those of the test: n8n stores the cursor only after a poll, so one beside it would give the same member again.
const NONE_BY_ITSELF = { item: [{ mode: 'everyMonth', dayOfMonth: 29, hour: 3, minute: 0 }] };

const polls = () => own.sandbox.requests.matching('GET', '/api/v1/users');
const ended = () => polls().filter(({ endedAt }) => endedAt !== null).length;

/** Activates the workflow, and waits for the poll that n8n begins with, so that the next one is on schedule. */
async function activate(workflow: SavedWorkflow): Promise<void> {
	const before = ended();
	await own.client.activate(workflow.id);
	await until('the first poll', async () => ended() > before, POLL_TIMEOUT_MS);
}

/** Lets the scheduler poll now, and waits until the API has been asked. */
async function poll({ id, nodes }: SavedWorkflow, count: () => number = ended): Promise<void> {
	const before = count();
	const nodeId = nodes.find(({ name }) => name === TRIGGER)?.id;
	await own.client.call('POST', '/e2e/scheduled-jobs/fire-now', { workflowId: id, nodeId });
	await until('a poll', async () => count() > before, POLL_TIMEOUT_MS);
}

/** Who was given, in order, once there are so many. In how many executions is the scheduler's to decide. */
const found = async ({ id, name }: SavedWorkflow, count: number) =>
	await until(
		`${count} members of “${name}”`,
		async () => {
			const all = await own.client.executions({ workflowId: id });
			const ids = all.filter(({ status }) => status === 'success').map((each) => Number(each.id));
			const inOrder = ids.sort((a, b) => a - b);
			const executions = inOrder.map(async (each) => await own.client.execution(String(each)));
			const given = membersOf(await Promise.all(executions));
			return given.length >= count ? given : undefined;
		},
		POLL_TIMEOUT_MS,
	);

test("under n8n's durable scheduler, a poll that is cut off with n8n misses no member and gives none twice", async () => {
	const { community, settings } = own.sandbox;
	const workflow = await saveTrigger(
		own,
		{ pollTimes: NONE_BY_ITSELF },
		'communityPlatformPollingTrigger',
	);
	await activate(workflow);
	// Who joins before the first poll on schedule is given, because the cursor is kept with the workflow, too.
	community.join({ first_name: 'Hedy' });
	await poll(workflow);
	expect(await found(workflow, 1)).toEqual(['Hedy']);
	community.join({ first_name: 'Ada' });
	await poll(workflow);
	expect(await found(workflow, 2)).toEqual(['Hedy', 'Ada']);

	community.join({ first_name: 'Grace' });
	settings.delayMs = SLOW_MS;
	await poll(workflow, () => polls().length);
	await own.n8n.kill();
	settings.delayMs = 0;
	community.join({ first_name: 'Linus' });
	await own.n8n.start();
	// n8n takes up by itself what was cut off. A poll beside that would begin before the cursor of the other is stored.
	expect(await found(workflow, 4)).toEqual(['Hedy', 'Ada', 'Grace', 'Linus']);
	// What the first n8n had begun is not given again, either.
	await poll(workflow);
	community.join({ first_name: 'Barbara' });
	await poll(workflow);
	expect(await found(workflow, 5)).toEqual(['Hedy', 'Ada', 'Grace', 'Linus', 'Barbara']);

	// Switched on again, it starts from now.
	await own.client.deactivate(workflow.id);
	community.join({ first_name: 'Margaret' });
	await activate(workflow);
	await poll(workflow);
	community.join({ first_name: 'Alan' });
	await poll(workflow);
	expect((await found(workflow, 6)).slice(4)).toEqual(['Barbara', 'Alan']);
}, 240_000);
