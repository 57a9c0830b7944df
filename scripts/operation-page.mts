import { exampleItems } from './example-items.mts';
import { type Page, withGenerated } from './generated-part.mts';
import { operationReference } from './operation-reference.mts';

/** The page about everything the node can do. */
export const OPERATION_PAGE: Page = { path: 'docs/operations.md', heading: '## Every operation' };

/** The page as it is, with what it says of each operation made anew. */
export async function operationPage(): Promise<string> {
	return withGenerated(OPERATION_PAGE, operationReference(await exampleItems()));
}
