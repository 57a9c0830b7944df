import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { toolParameters } from './tool-parameters.mts';

/** The page about the node as a tool. */
export const TOOL_PAGE = join(PROJECT_FOLDER, 'docs/tools.md');
const HEADING = '## What to paste';

/**
 * The page as it is, with its tables made anew; they are what follows their heading.
 *
 * @throws Error when the page lacks the heading
 */
export function toolPage(): string {
	const [text, ...tables] = readFileSync(TOOL_PAGE, 'utf8').split(`\n${HEADING}\n`);
	if (tables.length !== 1) throw new Error(`${TOOL_PAGE} needs one heading "${HEADING}"`);
	return `${text}\n${HEADING}\n\n${toolParameters()}\n`;
}
