import { outputSchemas } from '../../scripts/output-schemas.mts';
import { checkedIn, schemaFile, schemaText } from '../../scripts/schema-files.mts';

test('the output previews are up to date, one for each operation; npm run schemas writes them', () => {
	const wanted = [...outputSchemas()].map(([operation, schema]) => [
		schemaFile(operation),
		schemaText(schema),
	]);
	expect(wanted).toHaveLength(30);
	expect(Object.fromEntries(checkedIn())).toEqual(Object.fromEntries(wanted));
});
