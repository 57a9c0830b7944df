import { spawnSync } from 'node:child_process';
import { statfs } from 'node:fs/promises';

const GIGABYTE = 1e9;
const OLDEST_NODE = 20;

/** Something that this machine lacks. Its message is meant for the person at the terminal. */
export class MissingRequirement extends Error {
	constructor(missing: string[]) {
		super(['This machine lacks something:', ...missing.map((line) => `  - ${line}`)].join('\n'));
	}
}

/**
 * Checks that a folder's disk has room.
 *
 * @param folder an existing folder
 * @param gigabytes how much must be free, in units of 10^9 bytes
 * @param purpose what the room is for
 * @returns a line for {@link MissingRequirement}, or nothing when there is room
 */
export async function missingSpace(
	folder: string,
	gigabytes: number,
	purpose: string,
): Promise<string[]> {
	const { bavail, bsize } = await statfs(folder);
	const free = (bavail * bsize) / GIGABYTE;
	if (free >= gigabytes) return [];
	return [
		`disk space: ${purpose} needs about ${gigabytes} GB, and ${free.toFixed(1)} GB are free in ${folder}`,
	];
}

/**
 * Checks the Node version that this program itself runs on.
 *
 * @returns a line for {@link MissingRequirement}, or nothing when the version is recent enough
 */
export function missingNodeVersion(version = process.versions.node): string[] {
	if (Number(version.split('.')[0]) >= OLDEST_NODE) return [];
	return [`Node ${OLDEST_NODE} or newer: this is Node ${version}`];
}

/**
 * Checks for the programs that n8n's native modules are built with (node-gyp's own list).
 *
 * @returns lines for {@link MissingRequirement}, none when everything is there
 */
export function missingBuildTools(): string[] {
	const tools: Array<[string, string[]]> = [
		['npm, which comes with Node', ['npm']],
		['Python 3 (package python3), to build native modules', ['python3', 'python']],
		['make (package make), to build native modules', ['make']],
		[
			'a C++ compiler (package g++), to build native modules',
			[process.env.CXX ?? 'g++', 'c++', 'clang++'],
		],
	];
	return tools
		.filter(([, names]) => !names.some(runs))
		.map(([what, names]) => `${what}: ${names.join(', ')} not found`);
}

/**
 * Stops with a list of what is missing, if anything is.
 *
 * @param missing the lines that the checks returned
 * @throws MissingRequirement when there is at least one line
 */
export function demand(missing: string[]): void {
	if (missing.length > 0) throw new MissingRequirement(missing);
}

function runs(command: string): boolean {
	return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
