import { keptWorkflows } from '../support/kept-workflows.mts';
import { useActivation } from './support/active.mts';
import { replay, SECRET } from './support/replay.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 120, webhookSecret: SECRET });
const activation = useActivation(scenery);

const kept = keptWorkflows();
// Before the first release, there are none. A file without a test would fail.
if (kept.length === 0) test.skip('no version has been released', () => {});

for (const { replay: was, ...each } of kept) {
	if (!was) continue;
	test(`${each.name}, saved with ${each.version}, still behaves the same`, async () => {
		const { sends, answers } = await replay(scenery, activation, { ...each, replay: was });

		expect(new Set(sends)).toEqual(new Set(was.sends));
		for (const seen of was.sees ?? []) expect(answers).toContain(seen);
	});
}
