/** A generation of n8n that the package works with besides the newest one. */
export interface OlderVersion {
	/** As users know it. */
	n8n: string;
	/** Its engine, n8n-core. */
	core: string;
	/** The n8n-workflow that this engine asks for. */
	workflow: string;
}

/** Oldest first. The newest one is what the project itself installs. */
export const OLDER_VERSIONS: OlderVersion[] = [
	{ n8n: '1.123.81', core: '1.122.48', workflow: '1.120.31' },
	{ n8n: '2.8.4', core: '2.8.1', workflow: '2.8.0' },
	{ n8n: '2.20.12', core: '2.20.6', workflow: '2.20.3' },
];

/**
 * The test files that look at everything the nodes rest on in the engine, once each: how it routes,
 * pages, continues, cancels and tries again, its HTTP helper, credentials, tools, pickers, polls, webhooks.
 */
export const BRIEF_TESTS = [
	...['modes', 'error-output', 'cancel', 'retry-on-fail', 'output-items'],
	...['faults-connection', 'faults-retry', 'credential', 'tool', 'pickers'],
	...['polling', 'trigger-activation', 'trigger-items'],
];
