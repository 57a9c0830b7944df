import { LoadOptionsContext } from 'n8n-core';

/** Everything that n8n's logger was given in this test file, at every level, with what came along. */
export const logged: string[] = [];

interface InternalLogger {
	log(level: string, message: string, metadata: object): void;
	child(): InternalLogger;
}

/** Lets n8n's logger remember, at every level, instead of print. To be called before n8n runs anything. */
export function recordLogs(): void {
	process.env.N8N_LOG_LEVEL = 'debug';
	// What n8n logs while it is loaded, and at the end of the process, goes into the user folder.
	process.env.N8N_LOG_OUTPUT = 'file';
	// n8n-core brings its own copy of the logger; its contexts are where it can be reached.
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

// What n8n's own log files hold, and whatever else travels with an error.
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
