import { run, start } from '../../dev/tools/processes.mts';
import { startStarter, testFolder, untilInGroup, untilRemoved } from './support.mts';

let folder: Awaited<ReturnType<typeof testFolder>>;

beforeAll(async () => {
	folder = await testFolder();
});
afterAll(() => folder.remove());

describe('a program that was started', () => {
	it.each(['exit', 'throw'])('ends when its starter ends by %s', async (ending) => {
		const [, told] = await startStarter(ending);
		await untilInGroup(told.group, 0);
		await untilRemoved(told.folder);
	});

	it.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
		'ends when its starter gets %s',
		async (signal) => {
			const [starter, told] = await startStarter('stay');
			await untilInGroup(told.group, 2);
			starter.kill(signal);
			await untilInGroup(told.group, 0);
		},
	);

	it('takes its own children along when it is stopped', async () => {
		const program = await start(['sh', '-c', 'sleep 600 & wait'], folder.log);
		await untilInGroup(program.pid, 2);
		await program.stop();
		await untilInGroup(program.pid, 0);
	});

	it('is ended the hard way when it does not listen', async () => {
		const deaf = await start(['sh', '-c', 'trap "" TERM; sleep 600; sleep 600'], folder.log);
		await deaf.stop(100);
		expect(deaf.hasExited()).toBe(true);
		await untilInGroup(deaf.pid, 0);
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
	});

	it('says so when there is no such program', async () => {
		await expect(run(['no-such-program'])).rejects.toThrow(/no-such-program did not start/);
		await expect(start(['no-such-program'], folder.log)).rejects.toThrow(/did not start/);
	});
});
