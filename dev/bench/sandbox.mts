import { spawn } from 'node:child_process';
import { once } from 'node:events';
import axios from 'axios';
import type { Fault } from '../../sandbox/faults.mts';
import type { RateLimitSettings } from '../../sandbox/rate-limit.mts';
import type { RecordedRequest } from '../../sandbox/recorder.mts';
import { type Board, type Role, type User, UserStatus } from '../../sandbox/records.mts';

/** A sandbox in a separate process, so that it does not share a processor with the measured code. */
export interface RemoteSandbox {
	baseUrl: string;
	sourceSystem: string;
	apiKey: string;
	/** Active members. */
	members: Array<{ id: string; email: string }>;
	/** A role to set. */
	roleId: number;
	/** A private board. */
	boardId: number;
	/** Drops the requests of the previous case, and sets up the next one. */
	prepare(setup: Setup): Promise<void>;
	/** The requests since then. */
	received(): Promise<Received>;
	close(): Promise<void>;
}

export interface Setup {
	delayMs?: number;
	rateLimit?: RateLimitSettings;
	fault?: Fault;
}

export interface Received {
	total: number;
	refused: number;
	/** The number of changed records, and of those changed more than once. */
	applied: number;
	twice: number;
}

/**
 * Starts a sandbox on a free port.
 *
 * @param active number of active members
 */
export async function startRemoteSandbox(active: number): Promise<RemoteSandbox> {
	const command = ['--import', 'tsx', 'sandbox/main.mts', '--port', '0', '--members'];
	const child = spawn(process.execPath, [...command, String(Math.floor(active * 1.3))], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let output = '';
	while (!/API Key +\S+\n/.test(output)) output += String((await once(child.stdout, 'data'))[0]);
	child.stdout.resume();
	const find = (pattern: RegExp) => pattern.exec(output)?.[1] ?? '';
	const baseUrl = find(/open at (\S+)/);
	const dev = axios.create({ baseURL: `${baseUrl}/_sandbox` });
	const users = (await dev.get<User[]>('/state/users')).data;
	const known = users.filter(({ user_status }) => user_status === UserStatus.ACTIVE);
	for (const { msid } of known.slice(active)) await dev.delete(`/members/${msid}`);
	const [{ role_id: roleId }] = (await dev.get<Role[]>('/state/roles')).data;
	const boards = (await dev.get<Board[]>('/state/boards')).data;
	const { board_id: boardId } = boards.find(({ is_private }) => is_private)!;
	return {
		baseUrl,
		sourceSystem: find(/Source System +(\S+)/),
		apiKey: find(/API Key +(\S+)/),
		members: known.slice(0, active).map(({ msid, email }) => ({ id: msid, email })),
		roleId,
		boardId,
		async prepare({ delayMs = 0, rateLimit, fault }) {
			await dev.delete('/faults');
			if (fault) await dev.post('/faults', fault);
			await dev.put('/rate-limit', rateLimit ?? 'null', {
				headers: { 'content-type': 'application/json' },
			});
			await dev.patch('/settings', { delayMs });
			await dev.delete('/requests');
		},
		async received() {
			const { requests } = (await dev.get<{ requests: RecordedRequest[] }>('/requests')).data;
			const times = new Map<string, number>();
			for (const { method, path, status } of requests) {
				const isChange = method !== 'GET' && status !== null && status < 300;
				if (isChange) times.set(path, (times.get(path) ?? 0) + 1);
			}
			return {
				total: requests.length,
				refused: requests.filter(({ status }) => status === 429 || status === 503).length,
				applied: times.size,
				twice: [...times.values()].filter((count) => count > 1).length,
			};
		},
		async close() {
			child.kill('SIGTERM');
			await once(child, 'exit');
		},
	};
}
