import { EVERY_SECOND } from '../../dev/n8n/polling.mts';
import type { SavedWorkflow } from '../../dev/n8n/client.mts';
import { until } from '../../dev/tools/wait.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { membersOf, saveTrigger } from './support/delivering.mts';
import { useFixture } from './support/use-fixture.mts';

const MANY = 120;
const SLOW_MS = 700;
const START_TIMEOUT_MS = 30_000;

const fixture = useFixture({ members: 30 });
const { activate } = useActivation(fixture);

/** Activates a workflow, and waits for its first poll, because n8n answers before that. */
async function start(workflow: SavedWorkflow): Promise<void> {
	await activate(workflow);
	const isStarted = async () =>
		(await fixture.client.publication(workflow.id)).status === 'published';
	await until('the trigger to start', isStarted, START_TIMEOUT_MS);
}

test('a poll that takes longer than the interval finds every member once', async () => {
	const { community, settings } = fixture.sandbox;
	const pollTimes = { item: [{ mode: 'custom', cronExpression: EVERY_SECOND }] };
	const workflow = await saveTrigger(fixture, { pollTimes }, 'communityPlatformPollingTrigger');
	await start(workflow);

	// Three pages, one after another. In the meantime, n8n starts further polls.
	settings.delayMs = SLOW_MS;
	const names = Array.from({ length: MANY }, (_, index) => `Member ${index}`);
	for (const first_name of names) community.join({ first_name });

	expect(membersOf(await executionsOf(fixture, workflow, 1))).toEqual(names);

	// After it is activated again, it returns only members who join later.
	settings.delayMs = 0;
	await fixture.client.deactivate(workflow.id);
	community.join({ first_name: 'Grace' });
	await start(workflow);
	community.join({ first_name: 'Linus' });
	expect(membersOf(await executionsOf(fixture, workflow, 2)).slice(MANY)).toEqual(['Linus']);
});
