import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from '../../dev/n8n/client.mts';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';

const FOLDER = join(PROJECT_FOLDER, 'examples');

/** The menu and the entry that import a workflow in n8n's editor. A test uses them. */
export const WAY_TO_IMPORT = ['⋯', 'Import', 'From file'];

/** The workflows of `examples/`, by their file names without `.json`. */
export const EXAMPLES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.slice(0, -'.json'.length));

/** An example's workflow, as imported. */
export function workflowOf(example: string): WorkflowFile {
	return JSON.parse(readFileSync(fileOf(example), 'utf8')) as WorkflowFile;
}

/** The file of an example's workflow. */
export function fileOf(example: string): string {
	return join(FOLDER, `${example}.json`);
}

/** The README's workflow to paste into n8n's editor. */
export function pastedWorkflow(): WorkflowFile {
	const [, json = ''] = /```json\n([^]*?)```/.exec(readme()) ?? [];
	return JSON.parse(json) as WorkflowFile;
}

export function readme(): string {
	return readFileSync(join(PROJECT_FOLDER, 'README.md'), 'utf8');
}
