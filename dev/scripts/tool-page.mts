import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { toolParameters } from './tool-parameters.mts';

export const TOOL_PAGE = join(PROJECT_FOLDER, 'docs/tools.md');
const TABLES = /(<!-- tool-parameters -->\n)[^]*?(<!-- \/tool-parameters -->)/;

/**
 * docs/tools.md with its tables regenerated.
 *
 * @throws if the page has no marks for them
 */
export function toolPage(): string {
	const page = readFileSync(TOOL_PAGE, 'utf8');
	if (!TABLES.test(page)) throw new Error('docs/tools.md has no <!-- tool-parameters -->');
	const tables = toolParameters();
	return page.replace(
		TABLES,
		(_all, begin: string, end: string) => `${begin}\n${tables}\n\n${end}`,
	);
}

if (process.argv[1] === import.meta.filename) writeFileSync(TOOL_PAGE, toolPage());
