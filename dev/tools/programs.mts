import which from 'which';

/**
 * Looks for a program.
 *
 * @param name on the PATH, or a path itself
 * @returns where it is, or undefined if it is nowhere or may not be run
 */
export function programOnPath(name: string): string | undefined {
	return which.sync(name, { nothrow: true }) ?? undefined;
}
