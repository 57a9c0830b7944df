import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../tools/free-ports.mts';
import { start } from '../tools/processes.mts';

/** More requests than `count` in so many seconds are refused. */
export interface SlidingLimit {
	count: number;
	seconds: number;
}

/**
 * Starts HAProxy with a frontend for each limit.
 *
 * @param program its path
 * @param folder existing; configuration and log go there
 * @param upstream host and port of the community
 * @returns the frontends' origins, in the order of the limits
 */
export async function startHaproxy(
	program: string,
	folder: string,
	upstream: string,
	limits: SlidingLimit[],
): Promise<string[]> {
	const ports: number[] = [];
	for (let index = 0; index < limits.length; index++) ports.push(await freePort());
	const file = join(folder, 'haproxy.cfg');
	await writeFile(
		file,
		[
			'defaults',
			'\tmode http',
			'\ttimeout connect 5s',
			'\ttimeout client 30s',
			'\ttimeout server 30s',
			...limits.flatMap((limit, index) => frontend(`limit${index}`, ports[index], limit)),
			'backend community',
			`\tserver community ${upstream}`,
			'',
		].join('\n'),
	);
	await start([program, '-db', '-f', file], join(folder, 'haproxy.log'));
	return ports.map((port) => `http://127.0.0.1:${port}`);
}

// As HAProxy's own guide to rate limits has it.
function frontend(name: string, port: number, { count, seconds }: SlidingLimit): string[] {
	return [
		`frontend ${name}`,
		`\tbind 127.0.0.1:${port}`,
		`\tstick-table type ip size 100 expire 60s store http_req_rate(${seconds}s)`,
		'\thttp-request track-sc0 src',
		`\thttp-request deny deny_status 429 if { sc_http_req_rate(0) gt ${count} }`,
		'\tdefault_backend community',
	];
}
