import { writeFile } from 'node:fs/promises';
import { TOOL_PAGE, toolPage } from './tool-page.mts';

await writeFile(TOOL_PAGE, toolPage());
