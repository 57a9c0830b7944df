import { checkDeliveries, deliveryStory } from './deliveries.mts';
import { executionStory } from './executions.mts';
import { checkMixed, mixedStory } from './mixed.mts';
import { checkPolls, pollStory } from './polls.mts';
import { checkExecutions, tellAll } from './run.mts';

describe('stories', () => {
	it('keeps every promise about executions', async () => {
		await tellAll(executionStory, 0.3, checkExecutions);
	});

	it('keeps every promise about deliveries to the webhook trigger', async () => {
		await tellAll(deliveryStory, 0.4, checkDeliveries);
	});

	it('keeps every promise about polls', async () => {
		await tellAll(pollStory, 0.15, checkPolls);
	});

	it('keeps every promise if executions, deliveries and polls happen at once', async () => {
		await tellAll(mixedStory, 0.15, checkMixed);
	});
});
