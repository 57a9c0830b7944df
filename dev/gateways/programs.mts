import which from 'which';
import { run } from '../tools/processes.mts';

/** Debian's package of each program, which adds a folder that is not on everyone's PATH. */
const PACKAGES = { nginx: 'nginx-light', haproxy: 'haproxy' } as const;
const FOLDER = '/usr/sbin';

/** Where the gateways' programs are. */
export type Programs = Record<keyof typeof PACKAGES, string>;

/**
 * Finds nginx and HAProxy, and installs Debian's packages of them if they are missing and this process may
 * do so.
 *
 * @throws Error with the packages to install, if it may not
 */
export async function gatewayPrograms(): Promise<Programs> {
	const missing = missingPackages();
	if (missing.length > 0 && process.getuid?.() === 0 && find('apt-get')) {
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		await run(['apt-get', 'update'], { env });
		await run(['apt-get', 'install', '--yes', '--no-install-recommends', ...missing], { env });
	}
	const still = missingPackages();
	if (still.length > 0) {
		throw new Error(`Missing: ${still.join(', ')}. Debian: apt-get install ${still.join(' ')}`);
	}
	return { nginx: find('nginx') as string, haproxy: find('haproxy') as string };
}

function missingPackages(): string[] {
	return Object.entries(PACKAGES)
		.filter(([program]) => find(program) === null)
		.map(([, name]) => name);
}

function find(program: string): string | null {
	const options = { nothrow: true } as const;
	return which.sync(program, options) ?? which.sync(`${FOLDER}/${program}`, options);
}
