import { run, start } from '../../dev/tools/processes.mts';
import { startStarter, untilInGroup } from './support.mts';

describe('a program that was started', () => {
	it('ends when its starter is killed', async () => {
		const [starter, group] = await startStarter();
		await untilInGroup(group, 2);
		starter.kill('SIGKILL');
		await untilInGroup(group, 0);
	});

	it.each([
		['takes its own children along when it is stopped', 'sleep 600 & wait'],
		['is ended the hard way when it does not listen', 'trap "" TERM; sleep 600; sleep 600'],
	])('%s', async (_title, script) => {
		const program = await start(['sh', '-c', script], 'inherit');
		await untilInGroup(program.pid, 2);
		await program.stop(100);
		expect(program.hasExited()).toBe(true);
		await untilInGroup(program.pid, 0);
	});
});

describe('a command that is run', () => {
	it('says what it said last when it did not go well', async () => {
		const bad = run(['sh', '-c', 'echo told; exit 3']);
		await expect(bad).rejects.toThrow(/ended with 3\ntold$/);
		await expect(run(['no-such-program'])).rejects.toThrow(/no-such-program did not start/);
	});
});
