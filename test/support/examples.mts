import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from '../../dev/n8n/client.mts';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';

const FOLDER = join(PROJECT_FOLDER, 'examples');

/** The menu, and what to choose in it, that brings a workflow into n8n's editor; a test does so. */
export const WAY_TO_IMPORT = ['⋯', 'Import', 'From file'];

/** The workflows of `examples/`, by their file names without `.json`. */
export const EXAMPLES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.slice(0, -'.json'.length));

/** An example's workflow, as it is imported. */
export function workflowOf(example: string): WorkflowFile {
	return JSON.parse(readFileSync(fileOf(example), 'utf8')) as WorkflowFile;
}

/** The file of an example's workflow. */
export function fileOf(example: string): string {
	return join(FOLDER, `${example}.json`);
}

/** The workflow that the README has one paste into n8n's editor. */
export function pastedWorkflow(): WorkflowFile {
	const [, json = ''] = /```json\n([^]*?)```/.exec(readme()) ?? [];
	return JSON.parse(json) as WorkflowFile;
}

/** The text of the project's README. */
export function readme(): string {
	return readFileSync(join(PROJECT_FOLDER, 'README.md'), 'utf8');
}
