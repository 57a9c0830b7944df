import { outputOf, type Execution } from '../../dev/n8n/client.mts';
import { EVERY_SECOND } from '../../dev/n8n/polling.mts';
import type { User } from '../../sandbox/records.mts';
import { until } from '../../dev/tools/wait.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { saveTrigger, TRIGGER } from './support/delivering.mts';
import { useStage } from './support/use-stage.mts';

const LOOK_TIMEOUT_MS = 30_000;

const scenery = useStage({ members: 30 });
const { activate } = useActivation(scenery);

const found = (execution: Execution) =>
	(outputOf(execution, TRIGGER) as User[]).map(({ first_name }) => first_name);

async function polls(times: number): Promise<void> {
	const { requests } = scenery.sandbox;
	const enough = requests.total + times;
	await until('the trigger to poll', async () => requests.total >= enough, LOOK_TIMEOUT_MS);
}

test('a polling trigger that is switched on again gives those who join from then on', async () => {
	const { community } = scenery.sandbox;
	const pollTimes = { item: [{ mode: 'custom', cronExpression: EVERY_SECOND }] };
	const workflow = await saveTrigger(scenery, { pollTimes }, 'communityPlatformPollingTrigger');
	await activate(workflow);
	await polls(2);
	community.join({ first_name: 'Ada' });
	expect((await executionsOf(scenery, workflow, 1)).flatMap(found)).toEqual(['Ada']);

	await scenery.client.deactivate(workflow.id);
	community.join({ first_name: 'Grace' });
	await activate(workflow);
	await polls(2);
	community.join({ first_name: 'Linus' });
	expect((await executionsOf(scenery, workflow, 2)).flatMap(found)).toEqual(['Ada', 'Linus']);
});
