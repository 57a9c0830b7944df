import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { freePort } from '../tools/free-ports.mts';
import { run, start } from '../tools/processes.mts';
import { which } from '../tools/which.mts';

/** Debian's package of each program. It installs into a folder that is not on everyone's PATH. */
const PACKAGES = { nginx: 'nginx-light', haproxy: 'haproxy' };
process.env.PATH += `${delimiter}/usr/sbin`;

/**
 * Looks for nginx and HAProxy. If they are missing and this process is allowed to, it installs Debian's packages.
 *
 * @throws Error with the packages to install, if it is not allowed to
 */
export async function requirePrograms(): Promise<void> {
	const missing = missingPackages();
	if (missing.length > 0 && process.getuid?.() === 0 && which('apt-get')) {
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		await run(['apt-get', 'update'], { env });
		await run(['apt-get', 'install', '--yes', '--no-install-recommends', ...missing], { env });
	}
	const still = missingPackages().join(' ');
	if (still !== '') throw new Error(`Missing packages. Debian: apt-get install ${still}`);
}

function missingPackages(): string[] {
	return Object.entries(PACKAGES).flatMap(([program, name]) => (which(program) ? [] : [name]));
}

/**
 * Starts nginx.
 *
 * @param folder an existing folder for configuration, log and nginx's other files
 * @param upstream host and port of the community
 * @param directives of each server's `location`. Each server has its own limits, and the zone `api` allows 100 requests
 * a second
 * @returns the servers' origins
 */
export async function startNginx(
	folder: string,
	upstream: string,
	directives: string[],
): Promise<string[]> {
	const ports = await freePorts(directives.length);
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(name) => `${name}_temp_path ${folder}/temp/${name};`,
	);
	const servers = ports.map(
		(port, index) =>
			`server { listen 127.0.0.1:${port}; location / { ${directives[index]} proxy_pass http://${upstream}; } }`,
	);
	const file = join(folder, 'nginx.conf');
	await mkdir(join(folder, 'temp'));
	await writeFile(
		file,
		`daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr error; events {}
http {
	access_log off;
	${temporary.join('\n\t')}
	limit_req_zone $server_port zone=api:1m rate=100r/s;
	limit_conn_zone $server_port zone=connections:1m;
	${servers.join('\n\t')}
}
`,
	);
	await start(['nginx', '-p', folder, '-c', file], join(folder, 'nginx.log'));
	return ports.map(originOf);
}

/** Refuses more than `count` requests in this many seconds. Refused ones count, too. */
export interface SlidingLimit {
	count: number;
	seconds: number;
}

/**
 * Starts HAProxy with a frontend for each limit, as in HAProxy's guide to rate limits.
 *
 * @param folder an existing folder for configuration and log
 * @param upstream host and port of the community
 * @returns the frontends' origins
 */
export async function startHaproxy(
	folder: string,
	upstream: string,
	limits: SlidingLimit[],
): Promise<string[]> {
	const ports = await freePorts(limits.length);
	const frontends = limits.map(
		({ count, seconds }, index) => `frontend limit${index}
	bind 127.0.0.1:${ports[index]}
	stick-table type ip size 100 expire 60s store http_req_rate(${seconds}s)
	http-request track-sc0 src
	http-request deny deny_status 429 if { sc_http_req_rate(0) gt ${count} }
	default_backend community
`,
	);
	const file = join(folder, 'haproxy.cfg');
	await writeFile(
		file,
		`defaults
	mode http
	timeout connect 5s
	timeout client 30s
	timeout server 30s
${frontends.join('')}backend community
	server community ${upstream}
`,
	);
	await start(['haproxy', '-db', '-f', file], join(folder, 'haproxy.log'));
	return ports.map(originOf);
}

async function freePorts(count: number): Promise<number[]> {
	return await Promise.all(Array.from({ length: count }, freePort));
}

function originOf(port: number): string {
	return `http://127.0.0.1:${port}`;
}
