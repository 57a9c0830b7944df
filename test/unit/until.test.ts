import { until } from '../../dev/tools/wait.mts';

/** Gives these answers, one after another. */
function answering(...answers: unknown[]) {
	return async () => await Promise.resolve(answers.shift());
}

it.each([undefined, null, false])('%p is no answer yet', async (none) => {
	expect(await until('an answer', answering(none, none, 'here'), 10_000, 1)).toBe('here');
});

it.each([0, '', true, [], 'text'])('%p is an answer', async (answer) => {
	expect(await until('an answer', answering(answer, 'later'), 10_000, 1)).toEqual(answer);
});

it('ends with what was waited for, once the time is up', async () => {
	await expect(until('a guest', answering(), 20, 1)).rejects.toThrow(
		'Timed out after 0.02 s waiting for a guest',
	);
});
