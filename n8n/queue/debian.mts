import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { programOnPath } from '../../tools/programs.mts';
import { run } from '../../tools/processes.mts';
import { demand } from '../requirements.mts';

// Debian keeps the servers' own programs out of the PATH, under the major version.
const POSTGRES_ROOT = '/usr/lib/postgresql';

/** Where the programs are that queue mode needs beside n8n. */
export interface ServerPrograms {
	redisServer: string;
	/** Folder with `initdb`, `postgres` and `pg_isready`. */
	postgresFolder: string;
}

/**
 * Finds Redis and Postgres, and installs Debian's packages of them if they are missing and this
 * process may do so.
 *
 * @throws MissingRequirement with the packages to install, if it may not
 */
export async function serverPrograms(): Promise<ServerPrograms> {
	const missing = missingPackages();
	if (missing.length > 0 && process.getuid?.() === 0 && programOnPath('apt-get')) {
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		await run(['apt-get', 'update'], { env });
		await run(['apt-get', 'install', '--yes', '--no-install-recommends', ...missing], { env });
	}
	demand(missingPackages().map((name) => `${name}: install it (Debian: apt-get install ${name})`));
	return {
		redisServer: programOnPath('redis-server') as string,
		postgresFolder: postgresFolder() as string,
	};
}

function missingPackages(): string[] {
	return [
		...(programOnPath('redis-server') ? [] : ['redis-server']),
		...(postgresFolder() ? [] : ['postgresql']),
	];
}

function postgresFolder(): string | undefined {
	if (!existsSync(POSTGRES_ROOT)) return undefined;
	return readdirSync(POSTGRES_ROOT)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(POSTGRES_ROOT, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}
