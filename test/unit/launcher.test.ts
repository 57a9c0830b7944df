import * as fc from 'fast-check';
import { containerImage } from '../../dev/n8n/container.mts';
import { launcher, npmPackage } from '../../dev/n8n/launcher.mts';
import { installationIn } from '../../dev/n8n/paths.mts';

const IMAGE = 'docker.n8n.io/n8nio/n8n:3.0.0';
const HOST = { PATH: '/usr/bin', HOME: '/home/ada', DOCKER_HOST: 'unix:///run/docker.sock' };
const start = { userFolder: '/data/main', args: ['start'], settings: {}, port: 5701 };
const worker = {
	userFolder: '/data/one',
	args: ['worker', '--concurrency=5'],
	settings: { HOME: '/data/one', N8N_PORT: '5702', DB_POSTGRESDB_PASSWORD: 's3cret' },
	port: 5702,
};

describe('n8n from a container image', () => {
	const fromImage = containerImage(IMAGE, HOST, '1000:1001');

	it.each([
		[
			'one process',
			start,
			`docker run --rm --name community-platform-n8n-5701 --network host --user 1000:1001
			--mount type=bind,source=/data/main,target=/data/main --workdir /data/main
			${IMAGE} start`,
		],
		[
			'a worker with settings',
			worker,
			`docker run --rm --name community-platform-n8n-5702 --network host --user 1000:1001
			--mount type=bind,source=/data/one,target=/data/one --workdir /data/one
			--env HOME=/data/one --env N8N_PORT --env DB_POSTGRESDB_PASSWORD
			${IMAGE} worker --concurrency=5`,
		],
	])('is run by one command: %s', (_, n8n, command) => {
		expect(fromImage.commandLine(n8n).command).toEqual(command.split(/\s+/));
	});

	it('gets the values of its settings from the environment, and Docker keeps its own', () => {
		expect(fromImage.commandLine(worker)).toMatchObject({
			env: { ...HOST, N8N_PORT: '5702', DB_POSTGRESDB_PASSWORD: 's3cret' },
			container: 'community-platform-n8n-5702',
		});
		expect(fromImage.commandLine(worker).env.HOME).toBe('/home/ada');
	});

	it('never has the value of a setting on the command line', () => {
		const settings = fc.dictionary(fc.stringMatching(/^[A-GI-Z][A-Z0-9_]{3,12}$/), fc.uuid());
		fc.assert(
			fc.property(settings, (chosen) => {
				const { command, env } = fromImage.commandLine({ ...start, settings: chosen });
				const line = command.join(' ');
				expect(Object.values(chosen).filter((value) => line.includes(value))).toEqual([]);
				expect(env).toMatchObject(chosen);
			}),
		);
	});
});

describe('n8n from its npm package', () => {
	it('is run on the Node it comes with, and gets nothing else of this environment', () => {
		const host = { PATH: '/usr/bin', TMPDIR: '/tmp', LANG: 'C', N8N_PORT: '1', HTTP_PROXY: 'x' };
		const node = '/opt/n8n/node_modules/node/bin';
		const script = '/opt/n8n/node_modules/n8n/bin/n8n';
		expect(npmPackage(installationIn('/opt/n8n'), host).commandLine(worker)).toEqual({
			command: [`${node}/node`, script, 'worker', '--concurrency=5'],
			env: { PATH: `${node}:/usr/bin`, TMPDIR: '/tmp', LANG: 'C', ...worker.settings },
		});
	});
});

describe('which of both', () => {
	const programOf = (env: Record<string, string>) => launcher(env).commandLine(start).command[0];

	it.each([[{}], [{ N8N_IMAGE: '' }]])('is the npm package without an image: %j', (env) => {
		expect(programOf(env)).toMatch(/node$/);
	});

	it.each([
		[IMAGE],
		['n8nio/n8n'],
		['localhost:5000/n8n@sha256:0123456789abcdef'],
		['n8nio/n8n:3.0.0-rc.1'],
	])('is the image that N8N_IMAGE names: %s', (image) => {
		const { command } = launcher({ N8N_IMAGE: image }).commandLine(start);
		expect([command[0], ...command.slice(-2)]).toEqual(['docker', image, 'start']);
	});

	it.each([['--privileged'], ['n8n --privileged'], [' '], ['n8n\n'], ['n8n;true']])(
		'is refused where N8N_IMAGE cannot be one: %j',
		(image) => {
			expect(() => launcher({ N8N_IMAGE: image })).toThrow('N8N_IMAGE is not the name of an image');
		},
	);
});
