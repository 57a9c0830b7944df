import { keptWorkflows } from '../support/kept-workflows.mts';
import { useActivation } from './support/active.mts';
import { replay, SECRET } from './support/replay.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 120, webhookSecret: SECRET });
const activation = useActivation(scenery);

const kept = keptWorkflows().map((each) => [each.version, each.name, each] as const);

test.each(kept)('saved with %s, %s still does what it did', async (_version, _name, each) => {
	const { sends, answers } = await replay(scenery, activation, each);

	expect(new Set(sends)).toEqual(new Set(each.replay.sends));
	for (const seen of each.replay.sees ?? []) expect(answers).toContain(seen);
});
