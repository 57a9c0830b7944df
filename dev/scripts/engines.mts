/** A generation of n8n that the package works with. */
export interface Engine {
	/** As users know it. */
	n8n: string;
	/** Its engine, n8n-core. */
	core: string;
	/** The n8n-workflow that this engine asks for. */
	workflow: string;
	/** The generations of Node that this n8n runs on, as far as this project does, too (`engines` of n8n). */
	nodes: NodeGeneration[];
}

export type NodeGeneration = keyof typeof NODES;

/** The Node that stands for its generation, as npm's package `node` has it. */
export const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };

/** Oldest first; the last one is what the project itself installs. */
export const ENGINES: Engine[] = [
	{ n8n: '1.123.81', core: '1.122.48', workflow: '1.120.31', nodes: [20, 22, 24] },
	{ n8n: '2.8.4', core: '2.8.1', workflow: '2.8.0', nodes: [20, 22, 24] },
	{ n8n: '2.20.12', core: '2.20.6', workflow: '2.20.3', nodes: [22, 24] },
	{ n8n: '2.30.7', core: '2.30.3', workflow: '2.30.2', nodes: [22, 24] },
	{ n8n: '2.41.1', core: '2.41.1', workflow: '2.41.0', nodes: [24] },
];

/** The engine that the project itself installs. */
export const NEWEST = ENGINES[ENGINES.length - 1];

/** The test files, below `test/`, that look at what the generations of the engine differ in, as users notice it. */
export const BRIEF_TESTS = [
	'contract/on-error',
	'engine/faults',
	'engine/cancel',
	'engine/created-once',
	'contract/output-items',
	'engine/credential',
	'engine/tool',
	'engine/pickers',
	'engine/polling',
	'engine/trigger-activation',
	'engine/trigger-items',
];
