import { exampleItems } from './example-items.mts';
import { type Page, withGenerated } from './generated-part.mts';
import { operationReference } from './operation-reference.mts';

/** The page about everything the node can do. */
export const OPERATION_PAGE: Page = { path: 'docs/operations.md', heading: '## Every operation' };

/** The page with its part about each operation regenerated. */
export async function operationPage(): Promise<string> {
	return withGenerated(OPERATION_PAGE, operationReference(await exampleItems()));
}
