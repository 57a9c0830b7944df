import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';
import { OPERATION_PAGE, operationPage } from './operation-page.mts';

await writeFile(join(PROJECT_FOLDER, OPERATION_PAGE.path), await operationPage());
