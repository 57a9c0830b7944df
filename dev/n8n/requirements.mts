import which from 'which';

const OLDEST_NODE = 20;
// What n8n's native modules are built with (node-gyp's own list).
const BUILD_TOOLS: Record<string, string[]> = {
	'Python 3 (package python3)': ['python3', 'python'],
	'make (package make)': ['make'],
	'a C++ compiler (package g++)': [process.env.CXX ?? 'g++', 'c++', 'clang++'],
};

/**
 * Stops with what this machine lacks, if it lacks anything.
 *
 * @throws a message for the person at the terminal
 */
export function demand(missing: string[]): void {
	if (missing.length === 0) return;
	throw new Error(
		['This machine lacks something:', ...missing.map((line) => `  - ${line}`)].join('\n'),
	);
}

/** What is missing where the Node that this program runs on is too old. */
export function missingNodeVersion(): string[] {
	const { node } = process.versions;
	if (Number(node.split('.')[0]) >= OLDEST_NODE) return [];
	return [`Node ${OLDEST_NODE} or newer: this is Node ${node}`];
}

/** What is missing to build n8n's native modules. */
export function missingBuildTools(): string[] {
	return Object.entries(BUILD_TOOLS)
		.filter(([, names]) => names.every((name) => which.sync(name, { nothrow: true }) === null))
		.map(([what]) => `${what}, to build native modules`);
}
