import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { CREDENTIAL } from '../../nodes/shared/transport/api.ts';
import type { SavedWorkflow, N8nClient, WorkflowFile } from './client.mts';
import { PACKAGE_NAME, PROJECT_FOLDER } from './paths.mts';

const FOLDER = join(PROJECT_FOLDER, 'examples');

type Settings = [credential: { id: string; name: string }, adapt?: (node: INode) => INode];

/**
 * Imports a workflow of `examples/`, as {@link importWorkflow} does.
 *
 * @param name file name without `.json`
 * @throws if the example does not exist, or n8n refuses it
 */
export async function importExample(
	client: N8nClient,
	name: string,
	...settings: Settings
): Promise<SavedWorkflow> {
	return await importWorkflow(client, await readExample(name), ...settings);
}

/**
 * Imports a workflow and selects the credential, which is the only required setting. Triggers get an ID for their URL,
 * as on import in the editor.
 *
 * @param client logged in to an instance that has the package
 * @param credential what {@link N8nClient.createCredential} returned
 * @param adapt changes a node, for other settings that a person would make
 * @returns the saved workflow, which is not active
 * @throws if n8n refuses it
 */
export async function importWorkflow(
	client: N8nClient,
	workflow: WorkflowFile,
	...[credential, adapt = (node) => node]: Settings
): Promise<SavedWorkflow> {
	const nodes = workflow.nodes.map((node) => {
		if (!node.type.startsWith(`${PACKAGE_NAME}.`)) return adapt(node);
		const isTrigger = node.type.endsWith('Trigger');
		return adapt({
			...node,
			credentials: { [CREDENTIAL]: credential },
			...(isTrigger && { webhookId: randomUUID() }),
		});
	});
	return await client.createWorkflow({ ...workflow, nodes });
}

/** The workflows of `examples/`, by their file names without `.json`. */
export async function exampleNames(): Promise<string[]> {
	const files = await readdir(FOLDER);
	return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
}

/**
 * Reads a workflow of `examples/` unchanged.
 *
 * @param name file name without `.json`
 */
export async function readExample(name: string): Promise<WorkflowFile> {
	return JSON.parse(await readFile(join(FOLDER, `${name}.json`), 'utf8')) as WorkflowFile;
}

/**
 * Finds the manual trigger.
 *
 * @returns its name
 * @throws if the workflow has none
 */
export function manualTriggerOf({ name, nodes }: SavedWorkflow): string {
	const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	if (trigger === undefined) throw new Error(`“${name}” cannot be run by hand`);
	return trigger.name;
}
