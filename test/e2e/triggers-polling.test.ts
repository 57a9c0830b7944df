import { outputOf } from '../../dev/n8n/client.mts';
import { until } from '../../dev/tools/wait.mts';
import type { User } from '../../sandbox/records.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { saveTrigger, TRIGGER } from './support/delivering.mts';
import { EVERY_SECOND } from '../../dev/n8n/polling.mts';
import { useStage } from './support/use-stage.mts';

const MANY = 120;
const SLOW_MS = 700;
const LOOK_TIMEOUT_MS = 30_000;

const scenery = useStage({ members: 30 });
const { activate } = useActivation(scenery);

test('a poll that takes longer than the pause between polls finds every member, once', async () => {
	const { community, requests, settings } = scenery.sandbox;
	const parameters = {
		pollTimes: { item: [{ mode: 'custom', cronExpression: EVERY_SECOND }] },
		// n8n must still be able to evaluate it when other polls have come and gone meanwhile.
		simplify: '={{ true }}',
	};
	const workflow = await saveTrigger(scenery, parameters, 'communityPlatformPollingTrigger');
	await activate(workflow);
	const begun = async () => requests.total > 1;
	await until('the trigger to begin', begun, LOOK_TIMEOUT_MS);

	// Three pages, one after another: n8n starts further polls meanwhile.
	settings.delayMs = SLOW_MS;
	const names = Array.from({ length: MANY }, (_, index) => `Member ${index}`);
	for (const first_name of names) community.join({ first_name });

	const [execution] = await executionsOf(scenery, workflow, 1);
	expect(execution.data.resultData.error).toBeUndefined();
	const found = outputOf(execution, TRIGGER) as User[];
	expect(found.map(({ first_name }) => first_name)).toEqual(names);
});
