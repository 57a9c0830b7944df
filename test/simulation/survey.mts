import fc from 'fast-check';
import { deliveryStory, checkDeliveries } from './deliveries.mts';
import { executionStory } from './executions.mts';
import { checkMixed, mixedStory } from './mixed.mts';
import { pollStory, checkPolls } from './polls.mts';
import { checkExecutions, tellOnce } from './run.mts';

// Tells many stories and counts the promises that they break: `npm run simulation:survey executions 500 1`. With a
// part of a broken promise as the last argument, it shows the smallest story that breaks it.
const [, , kind = 'executions', count = '300', seed = '1', wanted] = process.argv;

const kinds: Record<string, [fc.Arbitrary<never>, (story: never) => Promise<void>]> = {
	executions: [executionStory as never, checkExecutions],
	deliveries: [deliveryStory as never, checkDeliveries],
	polls: [pollStory as never, checkPolls],
	mixed: [mixedStory as never, checkMixed],
};
const [arbitrary, check] = kinds[kind];
const options = { numRuns: Number(count), seed: Number(seed) };

const brokenIn = async (story: never): Promise<string> => {
	try {
		await tellOnce(story, check);
		return '';
	} catch (error) {
		return (error as Error).message;
	}
};
const promisesOf = (message: string) => message.split('\n\nThe story')[0].split('\n');

if (wanted === undefined) {
	const began = process.cpuUsage();
	const broken = new Map<string, number>();
	let red = 0;
	for (const story of fc.sample(arbitrary, options)) {
		const message = await brokenIn(story);
		if (message === '') continue;
		red++;
		const lines = promisesOf(message).map((line) =>
			line.replace(/\d+(\.\w+)?/g, '#').slice(0, 140),
		);
		for (const line of new Set(lines)) broken.set(line, (broken.get(line) ?? 0) + 1);
	}
	const { user, system } = process.cpuUsage(began);
	const ms = ((user + system) / 1000 / options.numRuns).toFixed(1);
	console.log(`${count} stories, ${red} red, ${ms} ms each`);
	for (const [line, times] of [...broken].sort((a, b) => b[1] - a[1])) console.log(times, line);
} else {
	const hasWanted = async (story: never) => {
		const message = await brokenIn(story);
		if (promisesOf(message).some((line) => line.includes(wanted))) throw new Error(message);
	};
	const { errorInstance, counterexample } = await fc.check(
		fc.asyncProperty(arbitrary, hasWanted),
		options,
	);
	console.log((errorInstance as Error | undefined)?.message ?? 'No story breaks it.');
	console.log(JSON.stringify(counterexample?.[0]));
}
process.exit();
