import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { TOOL_PAGE, toolPage } from './tool-page.mts';

await writeFile(join(PROJECT_FOLDER, TOOL_PAGE.path), toolPage());
