import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { withGenerated } from '../tools/generated.mts';
import { toolParameters } from './tool-parameters.mts';

export const TOOL_PAGE = join(PROJECT_FOLDER, 'docs/tools.md');

/** docs/tools.md with its tables regenerated. */
export function toolPage(): string {
	return withGenerated(readFileSync(TOOL_PAGE, 'utf8'), 'tool-parameters', toolParameters());
}

if (process.argv[1] === import.meta.filename) writeFileSync(TOOL_PAGE, toolPage());
