import { run, start } from '../../dev/tools/processes.mts';
import { startStarter, untilInGroup, untilRemoved } from './support.mts';

describe('a program that was started', () => {
	it('ends when its starter fails, and so does a temporary folder', async () => {
		const [, { group, folder }] = await startStarter('throw');
		await untilInGroup(group, 0);
		await untilRemoved(folder);
	});

	it.each(['SIGKILL', 'SIGTERM'] as const)('ends when its starter gets %s', async (signal) => {
		const [starter, { group }] = await startStarter('stay');
		await untilInGroup(group, 2);
		starter.kill(signal);
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
	it('gives back everything it wrote', async () => {
		const said = await run(['sh', '-c', 'seq 1 9999; echo end >&2']);
		expect(said.match(/\d+\n/g)).toHaveLength(9999);
		expect(said).toContain('end\n');
	});

	it('says what it said last when it did not go well', async () => {
		const bad = run(['sh', '-c', 'echo told; exit 3']);
		await expect(bad).rejects.toThrow(/ended with 3\ntold$/);
		await expect(run(['no-such-program'])).rejects.toThrow(/no-such-program did not start/);
	});
});
