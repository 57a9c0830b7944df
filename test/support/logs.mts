import { LoadOptionsContext } from 'n8n-core';

/** All lines of n8n's logger in this test file, at every level, with their metadata. */
export const logged: string[] = [];

interface InternalLogger {
	log(level: string, message: string, metadata: object): void;
	child(): InternalLogger;
}

/** Makes n8n's logger record lines at every level instead of printing them. Call it before n8n runs. */
export function recordLogs(): void {
	process.env.N8N_LOG_LEVEL = 'debug';
	// n8n's lines during loading and at the end of the process go to n8n's folder.
	process.env.N8N_LOG_OUTPUT = 'file';
	// n8n-core has its own copy of the logger, which is reachable through its contexts.
	const { logger } = new LoadOptionsContext({} as never, {} as never, {} as never, '');
	const recorder: InternalLogger = {
		log: (level, message, metadata) => {
			logged.push(`${level} ${message} ${readable(metadata)}`);
		},
		child: () => recorder,
	};
	(logger as unknown as { setInternalLogger(to: InternalLogger): void }).setInternalLogger(
		recorder,
	);
}

// The content of n8n's log files, and all other data of an error.
function readable(metadata: object): string {
	const seen = new WeakSet<object>();
	return JSON.stringify(metadata, (_, value: unknown) => {
		if (typeof value !== 'object' || value === null) return value;
		if (seen.has(value)) return undefined;
		seen.add(value);
		if (!(value instanceof Error)) return value;
		return { ...value, message: value.message, stack: value.stack, cause: value.cause };
	});
}
