import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

// Stands for Docker: a container is a process that its client does not take along when it ends, as the one that
// is killed cannot. It answers n8n's readiness check.
const DOCKER = `#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> commands
if [ "$1" = run ]; then
	setsid node -e '
		process.on("SIGTERM", () => process.exit());
		require("http").createServer((_, answer) => answer.end()).listen(process.env.N8N_PORT, "127.0.0.1");
	' & echo $! > container
	trap 'kill "$(cat container)"; exit 0' TERM
	wait
else
	pid="$(cat container)"
	kill -s KILL "$pid" || exit
	# Docker returns once the container is gone.
	while [ -e "/proc/$pid" ] && ! grep -qs '^State:.*Z' "/proc/$pid/status"; do sleep 0.05; done
fi
`;

/** A stand-in for Docker on the PATH. */
export interface Docker {
	/** Folder for whatever a test needs. */
	folder: string;
	/** Its commands so far, one a line, without the program's name. */
	commands: () => Promise<string[]>;
	/** Whether what was run as a container still runs. */
	isContainerThere: () => Promise<boolean>;
	remove: () => Promise<void>;
}

/** Puts it first on the PATH of this process. */
export async function pretendDocker(): Promise<Docker> {
	const folder = await mkdtemp(join(tmpdir(), 'docker-test-'));
	await writeFile(join(folder, 'docker'), DOCKER);
	await chmod(join(folder, 'docker'), 0o755);
	const { PATH = '' } = process.env;
	process.env.PATH = [folder, PATH].join(delimiter);
	const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
	return {
		folder,
		commands: async () => (await read('commands')).split('\n'),
		isContainerThere: async () => isRunning(Number(await read('container'))),
		remove: async () => {
			process.env.PATH = PATH;
			await rm(folder, { recursive: true });
		},
	};
}

async function isRunning(pid: number): Promise<boolean> {
	// A process that has ended stays in the list until its status is read.
	const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ');
	return !status.includes(' Z ');
}

/** This process's environment, with an image to run n8n from. */
export function throughDocker(image: string): NodeJS.ProcessEnv {
	return { ...process.env, N8N_IMAGE: image };
}
