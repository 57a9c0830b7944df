import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../../sandbox/openapi.mts';

const NODES = 'nodes';
/** n8n's folder for the output previews of a node, next to its code. */
const SCHEMA_FOLDER = '__schema__';
/** The only version of each node, where it is not the first. */
const VERSIONS: Record<string, string> = { CommunityPlatformTrigger: 'v2.0.0' };
const FIRST = 'v1.0.0';

/**
 * @param subject `<resource>.<operation>` of the action node, or the class of a trigger
 * @returns the path of its output preview, from the project's root
 */
export function schemaFile(subject: string): string {
	const [resource, operation] = subject.split('.');
	return operation
		? join(NODES, 'CommunityPlatform', SCHEMA_FOLDER, FIRST, resource, `${operation}.json`)
		: join(NODES, subject, SCHEMA_FOLDER, `${VERSIONS[subject] ?? FIRST}.json`);
}

/** The text of an output preview, as it is checked in. */
export function schemaText(schema: Schema): string {
	return `${JSON.stringify(schema, null, '\t')}\n`;
}

/** The output previews that are checked in: their texts by path from the project's root. */
export function checkedIn(): Map<string, string> {
	const files = readdirSync(NODES, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.includes(SCHEMA_FOLDER) && file.endsWith('.json'))
		.map((file) => join(NODES, file));
	return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
}
