import { Stop } from '../../nodes/shared/limiter';
import { useSandbox } from '../support/community.mts';
import { getUser } from '../support/operations.mts';
import { listenersOf } from '../support/signals.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox();

// n8n has one signal for an execution, in which a loop can run the node hundreds of times.
it.each([
	['succeeds', '101'],
	['fails', '99999999'],
])('a run that %s leaves nothing at the cancellation signal of its execution', async (_, id) => {
	const follow = jest.spyOn(Stop.prototype, 'follow');
	try {
		await runNode(sandbox, getUser(id));
		const [[signal]] = follow.mock.calls;
		expect(signal).toBeInstanceOf(AbortSignal);
		expect(listenersOf(signal as AbortSignal)).toBe(0);
	} finally {
		follow.mockRestore();
	}
});
