/**
 * A setting that bears on how requests are sent, by its label in the editor. Advice names only those
 * that the node in question has.
 */
export type Setting = 'Max Requests at Once' | 'Max Retries' | 'Timeout';

/** How the caller wants its requests sent. */
export interface CallSettings {
	maxRequestsAtOnce: number;
	maxRetries: number;
	/** What the user can change in the node; nothing unless told. */
	offered?: readonly Setting[];
}

/** How requests are sent unless the user says otherwise (docs/operations.md, "Options"). */
export const DEFAULT_SETTINGS: Readonly<CallSettings> = { maxRequestsAtOnce: 50, maxRetries: 5 };
