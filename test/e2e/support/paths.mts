import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../../dev/n8n/paths.mts';

/** Where a run of the end-to-end tests leaves its screenshots and logs; not under version control. */
export const REPORTS = join(PROJECT_FOLDER, '.reports/e2e');
