import { Ajv } from 'ajv';
import { checkedIn, schemaFile } from '../../dev/scripts/schema-files.mts';
import { byId } from '../support/community.mts';
import { SEEDS, startPrism, type PrismServer } from '../support/prism.mts';
import { runNode } from '../support/engine.mts';
import { wireCases } from '../support/wire/cases.mts';
import type { WireCase } from '../support/wire/table.mts';
import { action } from '../support/operations.mts';

type Case = Pick<WireCase, 'operation' | 'parameters' | 'item'>;
const WITH_A_NAME: Case = {
	operation: 'tag.update',
	parameters: { tagId: byId('9400'), updateFields: { name: 'HowTo' } },
};
const WITH_ONE_MEMBER: Case = {
	operation: 'board.updateMembers',
	parameters: { boardId: byId('900'), addMembers: '9002' },
};
/** The fields that only some items have: the kinds of change, and the member if a row changes only one. */
const OPTIONAL: Record<string, string[]> = {
	'board.updateMembers': ['added', 'removed', 'msid', 'username'],
};

let prism: PrismServer;
beforeAll(async () => {
	prism = await startPrism();
}, 60_000);
afterAll(async () => await prism.close());

const ajv = new Ajv({ allErrors: true, strictTypes: false, strictSchema: false });
const previews = checkedIn();
const cases: Case[] = [...wireCases, WITH_A_NAME, WITH_ONE_MEMBER];
const operations = [...new Set(cases.map(({ operation }) => operation))];

it.each(operations)(
	"a server generated from the API's description accepts %s, and the node accepts its answers",
	async (name) => {
		const preview = JSON.parse(previews.get(schemaFile(name)) ?? '');
		const validate = ajv.compile(preview);
		const optional = OPTIONAL[name] ?? [];
		const returned = new Set<string>();
		for (const { parameters, item } of cases.filter((each) => each.operation === name)) {
			for (let seed = 1; seed <= SEEDS; seed++) {
				Object.assign(prism, { seed, taken: [], refused: [] });
				const form = { simplify: seed % 2 === 1, options: { includeEmptyFields: seed % 4 < 2 } };
				const called = action(name, { ...form, ...parameters });
				const { items, error } = await runNode(prism, called, { items: [item ?? {}] });
				expect(prism.refused).toEqual([]);
				expect(prism.taken).not.toEqual([]);
				expect(error).toBeUndefined();
				for (const { json } of items) {
					expect([seed, json, validate(json), validate.errors]).toEqual([seed, json, true, null]);
					for (const field of Object.keys(json)) returned.add(field);
					if (!form.simplify) continue;
					const promised = Object.keys(preview.properties).filter(
						// The message of an acknowledgement is optional.
						(field) => !['message', ...optional].includes(field),
					);
					expect(Object.keys(json)).toEqual(expect.arrayContaining(promised));
				}
			}
		}
		expect([...returned]).toEqual(expect.arrayContaining(optional));
	},
	60_000 * SEEDS,
);
