import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { outputSchemas } from './output-schemas.mts';
import { SCHEMA_FOLDER, schemaFile, schemaText } from './schema-files.mts';

await rm(SCHEMA_FOLDER, { recursive: true, force: true });
for (const [operation, schema] of outputSchemas()) {
	const file = schemaFile(operation);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, schemaText(schema));
}
