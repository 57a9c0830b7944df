import { spawn } from 'node:child_process';
import { once } from 'node:events';
import axios from 'axios';
import type { Fault } from '../../sandbox/faults.mts';
import type { RateLimitSettings } from '../../sandbox/rate-limit.mts';

/** A sandbox in a process of its own, so that it does not share a processor with what is measured. */
export interface RemoteSandbox {
	baseUrl: string;
	sourceSystem: string;
	apiKey: string;
	/** Active members, newest first. */
	members: string[];
	tags: number[];
	/** A role to give to members. */
	roleId: number;
	/** Forgets requests and faults of the case before, and sets up the next one. */
	prepare(setup: Setup): Promise<void>;
	/** What came in since then. */
	received(method: string): Promise<Received>;
	/** When each request since then came in, in milliseconds. */
	arrivals(method: string): Promise<number[]>;
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
	maxInFlight: number;
	/** How many records were changed, and how many of these more than once. */
	applied: number;
	twice: number;
}

interface Requests {
	maxInFlight: number;
	requests: Array<{ path: string; status: number | null; startedAt: number }>;
}

/**
 * Starts a sandbox on a free port.
 *
 * @param active how many active members it has
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
	const members = (await dev.get('/state/users')).data as Array<{
		msid: string;
		user_status: number;
	}>;
	const isActive = ({ user_status }: { user_status: number }) => user_status === 10;
	const known = members.filter(isActive);
	for (const { msid } of known.slice(active)) await dev.delete(`/members/${msid}`);
	const [{ role_id: roleId }] = (await dev.get('/state/roles')).data as Array<{ role_id: number }>;
	const tags = (await dev.get('/state/tags')).data as Array<{ tag_id: number }>;
	const recorded = async (method: string) =>
		(await dev.get<Requests>('/requests', { params: { method } })).data;
	return {
		baseUrl,
		sourceSystem: find(/Source System +(\S+)/),
		apiKey: find(/API Key +(\S+)/),
		members: known.slice(0, active).map(({ msid }) => msid),
		roleId,
		tags: tags.map(({ tag_id }) => tag_id),
		async prepare({ delayMs = 0, rateLimit, fault }) {
			await dev.delete('/faults');
			await dev.put('/rate-limit', rateLimit ?? 'null', {
				headers: { 'content-type': 'application/json' },
			});
			await dev.patch('/settings', { delayMs });
			if (fault) await dev.post('/faults', fault);
			await dev.delete('/requests');
		},
		async received(method) {
			const { requests, maxInFlight } = await recorded(method);
			const times = new Map<string, number>();
			for (const { path, status } of requests) {
				if (status && status < 300) times.set(path, (times.get(path) ?? 0) + 1);
			}
			return {
				total: requests.length,
				refused: requests.filter(({ status }) => status === 429 || status === 503).length,
				maxInFlight,
				applied: times.size,
				twice: [...times.values()].filter((count) => count > 1).length,
			};
		},
		async arrivals(method) {
			return (await recorded(method)).requests.map(({ startedAt }) => startedAt);
		},
		async close() {
			child.kill('SIGTERM');
			await once(child, 'exit');
		},
	};
}
