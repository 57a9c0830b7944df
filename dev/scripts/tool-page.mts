import { type Page, withGenerated } from './generated-part.mts';
import { toolParameters } from './tool-parameters.mts';

/** The page about the node as a tool. */
export const TOOL_PAGE: Page = { path: 'docs/tools.md', heading: '## What to paste' };

/** The page with its tables regenerated. */
export function toolPage(): string {
	return withGenerated(TOOL_PAGE, toolParameters());
}
