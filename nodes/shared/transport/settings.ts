/**
 * A setting about how requests are sent, by its label in the editor. Advice names only those that the node has.
 */
export type Setting = 'Max Requests at Once' | 'Max Retries' | 'Timeout';

/** How the caller wants its requests sent. */
export interface CallSettings {
	maxRequestsAtOnce: number;
	maxRetries: number;
	/** The settings that the node has; none by default. */
	offered?: readonly Setting[];
}

/** Default settings for sending requests (docs/operations.md, "Options"). */
export const DEFAULT_SETTINGS: Readonly<CallSettings> = { maxRequestsAtOnce: 50, maxRetries: 5 };
