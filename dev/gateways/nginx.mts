import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../tools/free-ports.mts';
import { start } from '../tools/processes.mts';

/**
 * Starts nginx with a server for each limit.
 *
 * @param program its path
 * @param folder existing; configuration, log and what nginx writes go there
 * @param upstream host and port of the community
 * @param directives of the `location` of each server
 * @returns the servers' origins, in that order
 */
export async function startNginx(
	program: string,
	folder: string,
	upstream: string,
	directives: string[],
): Promise<string[]> {
	const ports: number[] = [];
	for (let index = 0; index < directives.length; index++) ports.push(await freePort());
	const file = join(folder, 'nginx.conf');
	await mkdir(join(folder, 'temp'));
	await writeFile(file, configuration(folder, upstream, ports, directives));
	await start([program, '-p', folder, '-c', file], join(folder, 'nginx.log'));
	return ports.map((port) => `http://127.0.0.1:${port}`);
}

function configuration(
	folder: string,
	upstream: string,
	ports: number[],
	directives: string[],
): string {
	const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(name) => `\t${name}_temp_path ${folder}/temp/${name};`,
	);
	// By port, so that each server has a limit of its own.
	return [
		'daemon off;',
		'master_process off;',
		`pid ${folder}/nginx.pid;`,
		'error_log stderr error;',
		'events {}',
		'http {',
		...temp,
		'\taccess_log off;',
		'\tlimit_req_zone $server_port zone=api:1m rate=100r/s;',
		'\tlimit_conn_zone $server_port zone=connections:1m;',
		...ports.map(
			(port, index) =>
				`\tserver { listen 127.0.0.1:${port}; location / { ${directives[index]} proxy_pass http://${upstream}; } }`,
		),
		'}',
		'',
	].join('\n');
}
