import { Ajv } from 'ajv';
import type { INodeParameters } from 'n8n-workflow';
import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { checkedIn, schemaFile } from '../../dev/scripts/schema-files.mts';
import { useSandbox } from '../support/community.mts';
import { addKnownRecords, STILL } from '../support/known-records.mts';
import { runNode } from './engine.mts';
import { wireCases as cases } from './wire/cases.mts';
import { action } from '../support/operations.mts';

const previews = checkedIn();
const ofOperations = [...previews.keys()]
	.filter((file) => file.startsWith('nodes/CommunityPlatform/'))
	.sort();
const acknowledgements = resources.flatMap(({ value, operations }) =>
	operations.filter(({ record }) => !record).map((operation) => `${value}.${operation.value}`),
);
const ajv = new Ajv({ allErrors: true, strictTypes: false, strictSchema: false });
const validators = new Map(
	ofOperations.map((file) => {
		const schema = JSON.parse(previews.get(file) ?? '');
		return [file, { schema, validate: ajv.compile(schema) }] as const;
	}),
);
const sandbox = useSandbox(STILL);

const forms: Array<[string, INodeParameters]> = [
	['simplified', { simplify: true, options: { includeEmptyFields: true } }],
	['raw', { simplify: false }],
	['raw with empty fields', { simplify: false, options: { includeEmptyFields: true } }],
];

it.each(forms)('what the node gives is what the editor shows before: %s', async (_, form) => {
	const looked = new Set<string>();
	for (const wire of cases) {
		sandbox.reset();
		addKnownRecords(sandbox);
		wire.given?.(sandbox);
		const parameters = action(wire.operation, { ...wire.parameters, ...form });
		const { items } = await runNode(sandbox, parameters, { items: [wire.item ?? {}] });
		const { schema, validate } = validators.get(schemaFile(wire.operation))!;
		for (const { json } of items) {
			const fits = [wire.operation, validate(json), validate.errors];
			expect(fits).toEqual([wire.operation, true, null]);
			const promised = form.simplify ? Object.keys(schema.properties) : [];
			expect(Object.keys(json)).toEqual(expect.arrayContaining(promised));
			// All but the message of an acknowledgement is what the node adds.
			if (acknowledgements.includes(wire.operation)) {
				expect(schema.properties).toEqual(
					Object.fromEntries(Object.keys(json).map((key) => [key, expect.anything()])),
				);
			}
			looked.add(wire.operation);
		}
	}
	expect([...looked].map(schemaFile).sort()).toEqual(ofOperations);
});
