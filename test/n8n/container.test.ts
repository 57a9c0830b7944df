import { startInstance } from '../../dev/n8n/instance.mts';
import { launcher } from '../../dev/n8n/launcher.mts';
import { until } from '../../dev/tools/wait.mts';
import { type Docker, pretendDocker, throughDocker } from './docker.mts';

const IMAGE = 'docker.n8n.io/n8nio/n8n:3.0.0';

describe('n8n in a container', () => {
	let docker: Docker;

	beforeEach(async () => {
		docker = await pretendDocker();
	});
	afterEach(() => docker.remove());

	const started = async () =>
		await startInstance({ userFolder: docker.folder, launcher: launcher(throughDocker(IMAGE)) });

	it('is run, and nothing of it is left when it is stopped', async () => {
		const instance = await started();
		const [command] = await docker.commands();
		expect(command).toMatch(/^run --rm --name community-platform-n8n-\d+ /);
		expect(command.endsWith(` ${IMAGE} start`)).toBe(true);
		expect(await docker.isContainerThere()).toBe(true);
		await instance.stop();
		expect(await docker.isContainerThere()).toBe(false);
	});

	it('ends when the program that runs it is killed, which cannot end it any more', async () => {
		const instance = await started();
		instance.process.signal('SIGKILL');
		await instance.process.exited;
		expect((await docker.commands()).at(-1)).toBe(
			`rm --force community-platform-n8n-${instance.ports.http}`,
		);
		await until('the container to be gone', async () => !(await docker.isContainerThere()), 15_000);
	});
});
