/** A generation of n8n that the package works with. */
export interface Engine {
	/** Its public version. */
	n8n: string;
	/** Its engine, n8n-core. */
	core: string;
	/** The n8n-workflow that this engine asks for. */
	workflow: string;
	/** The generations of Node that both this n8n (`engines`) and this project run on. */
	nodes: Array<keyof typeof NODES>;
}

/** The tested Node of each generation, a version of npm's package `node`. */
export const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };

/** The oldest first. The project itself installs the last one. */
export const ENGINES: Engine[] = [
	{ n8n: '1.123.81', core: '1.122.48', workflow: '1.120.31', nodes: [20, 22, 24] },
	{ n8n: '2.8.4', core: '2.8.1', workflow: '2.8.0', nodes: [20, 22, 24] },
	{ n8n: '2.20.12', core: '2.20.6', workflow: '2.20.3', nodes: [22, 24] },
	{ n8n: '2.30.7', core: '2.30.3', workflow: '2.30.2', nodes: [22, 24] },
	{ n8n: '2.41.1', core: '2.41.1', workflow: '2.41.0', nodes: [24] },
];

/** The engine that the project itself installs. */
export const NEWEST = ENGINES[ENGINES.length - 1];

/** The test files, below `test/`, for the visible differences between generations of the engine. */
export const BRIEF_TESTS = [
	'engine/on-error',
	'engine/faults',
	'engine/cancel',
	'engine/created-once',
	'engine/output-items',
	'engine/credential',
	'engine/tool',
	'engine/pickers',
	'engine/polling',
	'engine/trigger-activation',
	'engine/trigger-items',
];
