import { which } from '../tools/which.mts';

const OLDEST_NODE = 20;
// The build tools of n8n's native modules (node-gyp's list).
const BUILD_TOOLS: Record<string, string[]> = {
	'Python 3 (package python3)': ['python3', 'python'],
	'make (package make)': ['make'],
	'a C++ compiler (package g++)': [process.env.CXX ?? 'g++', 'c++', 'clang++'],
};

/** @throws if this program's Node is too old */
export function requireNode(): void {
	const { node } = process.versions;
	if (Number(node.split('.')[0]) >= OLDEST_NODE) return;
	throw new Error(`Node ${OLDEST_NODE} or newer is needed: this is Node ${node}`);
}

/** @throws with the tools that are missing to build n8n's native modules */
export function requireBuildTools(): void {
	const missing = Object.entries(BUILD_TOOLS)
		.filter(([, names]) => names.every((name) => !which(name)))
		.map(([what]) => what);
	if (missing.length > 0) throw new Error(`To build native modules, install ${missing.join(', ')}`);
}
