import { outputSchemas } from '../../scripts/output-schemas.mts';
import { checkedIn, schemaFile, schemaText } from '../../scripts/schema-files.mts';

test('the output previews are up to date, one for each operation and trigger; npm run schemas writes them', () => {
	const wanted = [...outputSchemas()].map(([subject, schema]) => [
		schemaFile(subject),
		schemaText(schema),
	]);
	expect(wanted).toHaveLength(30 + 2);
	expect(Object.fromEntries(checkedIn())).toEqual(Object.fromEntries(wanted));
});
