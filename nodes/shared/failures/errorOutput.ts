import type { FunctionsBase } from 'n8n-workflow';
import type { FailureDetails } from './failure';

// Where n8n sorts items into the two outputs of "Continue (using error output)", it takes one for failed
// whose keys are exactly `error`, or `error` and `message`; with `details` it would go out as a success. From
// n8n-core 2.36 on (and in the last of 2.34 and 2.35) `details` may be there, too (n8n, workflow-execute.ts,
// handleNodeErrorOutput). A node is not told n8n's version, and n8n-workflow may be a newer copy than
// n8n's own where the package was installed by hand. So what tells is the engine's object that a node
// runs on: this function of it came with 2.40. Should it go, the details are in words, nothing worse.
const CAME_LATER = '_getRunlessCredentials';

/** Whether an item with `details` would leave by the success branch, although it is a failed one. */
export function isDetailsForSuccess(functions: Pick<FunctionsBase, 'getNode'>): boolean {
	return functions.getNode().onError === 'continueErrorOutput' && !(CAME_LATER in functions);
}

/**
 * What support needs to know of a failure, for where there is no other place than a text.
 *
 * @returns a sentence; undefined when nothing is known
 */
export function inWords({ httpCode, errorId }: FailureDetails): string | undefined {
	const parts = [
		httpCode === undefined ? undefined : `HTTP status ${httpCode}`,
		errorId === undefined ? undefined : `reference ${errorId}`,
	].filter((part) => part !== undefined);
	return parts.length > 0 ? `(${parts.join(', ')})` : undefined;
}
