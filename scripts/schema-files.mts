import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../sandbox/openapi.mts';

/** Where n8n looks for the output previews of version 1 of the node. */
export const SCHEMA_FOLDER = 'nodes/CommunityPlatform/__schema__/v1.0.0';

/**
 * @param operation `<resource>.<operation>`
 * @returns the path of its output preview, from the project's root
 */
export function schemaFile(operation: string): string {
	const [resource, name] = operation.split('.');
	return join(SCHEMA_FOLDER, resource, `${name}.json`);
}

/** The text of an output preview, as it is checked in. */
export function schemaText(schema: Schema): string {
	return `${JSON.stringify(schema, null, '\t')}\n`;
}

/** The output previews that are checked in: their texts by path from the project's root. */
export function checkedIn(): Map<string, string> {
	const files = readdirSync(SCHEMA_FOLDER, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.map((file) => join(SCHEMA_FOLDER, file));
	return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
}
