import { executionStory } from './executions.mts';
import { checkExecutions, tellAll } from './run.mts';

describe('stories', () => {
	it('keeps every promise about executions', async () => {
		await tellAll(executionStory, 0.6, checkExecutions);
	});
});
