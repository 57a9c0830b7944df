import type { SavedWorkflow } from '../../dev/n8n/client.mts';
import { until } from '../../dev/tools/wait.mts';
import { membersOf, saveTrigger, TRIGGER } from './support/delivering.mts';
import { useFixture } from './support/use-fixture.mts';

const POLL_TIMEOUT_MS = 60_000;
const SLOW_MS = 4_000;

const fixture = useFixture({
	members: 30,
	own: {
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		// n8n's defaults only take longer.
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
		N8N_SCHEDULER_REAPER_INTERVAL: '1',
		N8N_SCHEDULER_LEASE_DURATION: '20',
		// Enables the endpoint of n8n's own tests that runs scheduled jobs immediately.
		E2E_TESTS: 'true',
	},
});

// Only the test starts polls. n8n stores the cursor after a poll, so a parallel one would return the same member again.
const NONE_BY_ITSELF = { item: [{ mode: 'everyMonth', dayOfMonth: 29, hour: 3, minute: 0 }] };

const polls = () => fixture.sandbox.requests.matching('GET', '/api/v1/users');
const ended = () => polls().filter(({ endedAt }) => endedAt !== null).length;

/** Activates the workflow, and waits for n8n's first poll, so that the next one is scheduled. */
async function activate(workflow: SavedWorkflow): Promise<void> {
	const before = ended();
	await fixture.client.activate(workflow.id);
	await until('the first poll', async () => ended() > before, POLL_TIMEOUT_MS);
}

/** Makes the scheduler poll now, and waits until the API receives a request. */
async function poll({ id, nodes }: SavedWorkflow, count: () => number = ended): Promise<void> {
	const before = count();
	const nodeId = nodes.find(({ name }) => name === TRIGGER)?.id;
	await fixture.client.call('POST', '/e2e/scheduled-jobs/fire-now', { workflowId: id, nodeId });
	await until('a poll', async () => count() > before, POLL_TIMEOUT_MS);
}

/** Waits for this many members in any number of executions, and returns them in order. */
const found = async ({ id, name }: SavedWorkflow, count: number) =>
	await until(
		`${count} members of “${name}”`,
		async () => {
			const all = await fixture.client.executions({ workflowId: id });
			const ids = all.filter(({ status }) => status === 'success').map((each) => Number(each.id));
			const inOrder = ids.sort((a, b) => a - b);
			const executions = inOrder.map(async (each) => await fixture.client.execution(String(each)));
			const members = membersOf(await Promise.all(executions));
			return members.length >= count ? members : undefined;
		},
		POLL_TIMEOUT_MS,
	);

test("with n8n's durable scheduler, a poll that ends with n8n misses no member and returns none twice", async () => {
	const { community, settings } = fixture.sandbox;
	const workflow = await saveTrigger(
		fixture,
		{ pollTimes: NONE_BY_ITSELF },
		'communityPlatformPollingTrigger',
	);
	await activate(workflow);
	// A member who joins before the first scheduled poll is returned, because the cursor is also kept with the workflow.
	community.join({ first_name: 'Hedy' });
	await poll(workflow);
	expect(await found(workflow, 1)).toEqual(['Hedy']);
	community.join({ first_name: 'Ada' });
	await poll(workflow);
	expect(await found(workflow, 2)).toEqual(['Hedy', 'Ada']);

	community.join({ first_name: 'Grace' });
	settings.delayMs = SLOW_MS;
	await poll(workflow, () => polls().length);
	await fixture.n8n.kill();
	settings.delayMs = 0;
	community.join({ first_name: 'Linus' });
	await fixture.n8n.start();
	// n8n automatically resumes the interrupted poll. A parallel one would start before the other's cursor is stored.
	expect(await found(workflow, 4)).toEqual(['Hedy', 'Ada', 'Grace', 'Linus']);
	// Members of the first n8n's poll are not returned again, either.
	await poll(workflow);
	community.join({ first_name: 'Barbara' });
	await poll(workflow);
	expect(await found(workflow, 5)).toEqual(['Hedy', 'Ada', 'Grace', 'Linus', 'Barbara']);

	// After it is activated again, it returns only members who join later.
	await fixture.client.deactivate(workflow.id);
	community.join({ first_name: 'Margaret' });
	await activate(workflow);
	await poll(workflow);
	community.join({ first_name: 'Alan' });
	await poll(workflow);
	expect((await found(workflow, 6)).slice(4)).toEqual(['Barbara', 'Alan']);
}, 240_000);
