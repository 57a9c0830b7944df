import axios from 'axios';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../tools/free-ports.mts';
import { type RunningProcess, start } from '../tools/processes.mts';
import { until } from '../tools/wait.mts';
import { environmentOfN8n, type Installation, PINNED } from './paths.mts';

const BOOT_TIMEOUT_MS = 180_000;
const LOG_LINES_SHOWN = 25;

/** The ports of an n8n process, both on 127.0.0.1. */
export interface Ports {
	/** For the editor, the REST API and webhooks, or for a worker's readiness check. */
	http: number;
	/** For task runners. */
	broker: number;
}

/** How to start one n8n process. */
export interface InstanceOptions {
	/** Its N8N_USER_FOLDER with database, settings and installed packages. Created if it is missing. */
	userFolder: string;
	/** n8n's subcommand. There is one `start`, and in queue mode any number of `worker` and `webhook`. */
	command?: 'start' | 'worker' | 'webhook';
	/** Further arguments, e.g. `--concurrency=5` for a worker. */
	args?: string[];
	/** Further settings, which override the ones set here. */
	env?: Record<string, string>;
	/** Ports to reuse after a stop. If left out, free ones. */
	ports?: Ports;
	/** The n8n to run. If left out, the pinned one. */
	installation?: Installation;
	/** The file to append its output to. If left out, n8n.log in `userFolder`. */
	logFile?: string;
}

/** A ready n8n process. */
export interface Instance {
	/** Address without a trailing slash. */
	url: string;
	ports: Ports;
	logFile: string;
	process: RunningProcess;
	/** Stops it. Kills it after 15 s. Resolves after all of its processes have ended. */
	stop: () => Promise<void>;
}

/**
 * Starts an n8n process and waits until it is ready. It ends with this process in any case.
 *
 * @throws if it ends or is not ready within three minutes, with the last lines of its log
 */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
	const { userFolder, command = 'start', args = [], installation = PINNED } = options;
	const { logFile = join(userFolder, 'n8n.log') } = options;
	await mkdir(userFolder, { recursive: true });
	const ports = options.ports ?? { http: await freePort(), broker: await freePort() };
	const url = `http://127.0.0.1:${ports.http}`;
	const running = await start([installation.node, installation.script, command, ...args], logFile, {
		cwd: userFolder,
		env: {
			...environmentOfN8n(installation),
			...settingsOf(userFolder, ports),
			...options.env,
		},
	});
	try {
		await until(
			`n8n ${command} to be ready`,
			() => isReady(url, command, running),
			BOOT_TIMEOUT_MS,
		);
	} catch (error) {
		await running.stop();
		const log = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-LOG_LINES_SHOWN);
		throw new Error(`${(error as Error).message}. The end of its log:\n${log.join('\n')}`);
	}
	return { url, ports, logFile, process: running, stop: async () => await running.stop() };
}

async function isReady(url: string, command: string, running: RunningProcess): Promise<boolean> {
	if (running.hasExited()) {
		throw new Error(`n8n ended with ${(await running.exited) ?? 'a signal'} at its start`);
	}
	if ((await statusOf(`${url}/healthz/readiness`)) !== 200) return false;
	// n8n 2.8 reports readiness before it serves its REST API.
	return command !== 'start' || (await statusOf(`${url}/rest/settings`)) === 200;
}

async function statusOf(url: string): Promise<number | undefined> {
	const answer = await axios
		.get(url, { timeout: 2_000, validateStatus: () => true, proxy: false })
		.catch(() => undefined);
	return answer?.status;
}

function settingsOf(userFolder: string, ports: Ports): Record<string, string> {
	return {
		HOME: userFolder,
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(ports.http),
		N8N_RUNNERS_BROKER_PORT: String(ports.broker),
		// A worker serves only this check, which has its own settings.
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(ports.http),
		GENERIC_TIMEZONE: 'UTC',
		// Because n8n is served over plain http.
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		// By default, n8n 3 does not load packages that are not verified, like this one.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	};
}
