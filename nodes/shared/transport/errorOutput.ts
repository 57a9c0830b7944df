import type { FunctionsBase } from 'n8n-workflow';
import type { FailureDetails } from './failure';

// For "Continue (using error output)", n8n-core before 2.36 takes an item with `details` for a success
// (docs/decisions.md, E21). A node is not told n8n's version, and n8n-workflow may be a newer copy than n8n's own where
// the package was installed by hand. So the engine's own object decides, by a method that came with 2.40. Should n8n
// remove it, details become part of the text, nothing worse. Needed as long as n8n before 2.36 is supported.
const CAME_LATER = '_getRunlessCredentials';

/** Whether a failed item with `details` would leave by the success branch. */
export function isDetailsForSuccess(functions: Pick<FunctionsBase, 'getNode'>): boolean {
	return functions.getNode().onError === 'continueErrorOutput' && !(CAME_LATER in functions);
}

/**
 * The details that support needs, as text.
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
