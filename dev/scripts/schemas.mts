import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { outputSchemas } from './output-schemas.mts';
import { checkedIn, schemaFile, schemaText } from './schema-files.mts';

for (const file of checkedIn().keys()) await rm(file);
for (const [subject, schema] of outputSchemas()) {
	const file = schemaFile(subject);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, schemaText(schema));
}
