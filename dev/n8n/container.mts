import type { Launcher } from './launcher.mts';
import { whenThisProcessIsGone } from '../tools/last-will.mts';
import { run, type RunningProcess } from '../tools/processes.mts';
import { programOnPath } from '../tools/programs.mts';
import { step } from '../tools/progress.mts';
import { demand } from './requirements.mts';

const DOCKER = 'docker';

/**
 * Runs n8n from a container image with Docker. The container shares the machine's network, because what n8n
 * talks to here listens on 127.0.0.1 alone, and n8n shall, too. The user folder lies in it under the same path,
 * so that settings and the installed package are the same as without a container.
 *
 * @param image its name, with a tag or a digest
 * @param host the environment that Docker itself needs; nothing of it reaches n8n
 * @param user the numbers of user and group, `user:group`, to whom the user folder belongs
 */
export function containerImage(image: string, host: NodeJS.ProcessEnv, user: string): Launcher {
	return {
		prepare: async () => await pull(image),
		commandLine: ({ userFolder, args, settings, port }) => {
			const container = `community-platform-n8n-${port}`;
			// Docker looks for its own settings in HOME, so n8n's cannot be handed down in the environment.
			const { HOME, ...handedDown } = settings;
			const options = [
				...['--rm', '--name', container],
				...['--network', 'host'],
				...['--user', user],
				...['--mount', `type=bind,source=${userFolder},target=${userFolder}`],
				...['--workdir', userFolder],
				...(HOME === undefined ? [] : ['--env', `HOME=${HOME}`]),
				// A name without a value: Docker takes the value from its own environment.
				...Object.keys(handedDown).flatMap((name) => ['--env', name]),
			];
			return {
				command: [DOCKER, 'run', ...options, image, ...args],
				env: { ...host, ...handedDown },
				container,
			};
		},
	};
}

/**
 * Ties a container to the program that runs it: Docker hands SIGTERM on to n8n, but nothing else, and a container
 * outlives the program that is killed.
 *
 * @param running the program
 * @param container its name, if there is one
 * @returns the same program, which has only ended when its container has, too
 */
export function withContainer(running: RunningProcess, container?: string): RunningProcess {
	if (container === undefined) return running;
	const callOff = whenThisProcessIsGone(`${DOCKER} rm --force "$0"`, container);
	const exited = running.exited.then(async (code) => {
		// As a rule it has removed itself by now.
		await run([DOCKER, 'rm', '--force', container]).catch(() => undefined);
		callOff();
		return code;
	});
	const stop = async (graceMs?: number) => {
		await running.stop(graceMs);
		await exited;
	};
	return { ...running, exited, stop };
}

async function pull(image: string): Promise<void> {
	if (programOnPath(DOCKER) === undefined) {
		demand(['Docker, to run the image that N8N_IMAGE names: docker not found']);
	}
	const isThere = await run([DOCKER, 'image', 'inspect', image]).then(
		() => true,
		() => false,
	);
	if (!isThere) await step(`Download ${image}`, () => run([DOCKER, 'pull', image]));
}
