import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { version } from '../../package.json';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { byId } from '../support/community.mts';
import { addKnownRecords, useKnownRecords } from '../support/known-records.mts';
import { operationsOf, parametersOf } from '../support/description.mts';
import { type RunOptions, runNode } from '../support/engine.mts';
import { wireCases as cases } from '../support/wire/cases.mts';
import { fromList, type Sent, type WireCase } from '../support/wire/table.mts';
import { action } from '../support/operations.mts';

describe('Resources, operations, parameters', () => {
	type Way = Pick<RunOptions, 'isTool'>;

	const { properties } = new CommunityPlatform().description;
	const sandbox = useKnownRecords();

	async function run({ operation, parameters, item, arrange }: WireCase, way: Way = {}) {
		arrange?.(sandbox);
		const options = { items: [item ?? {}], ...way };
		return await runNode(sandbox, action(operation, parameters), options);
	}

	// As a tool, the node returns the same output as in a workflow unless set otherwise.
	function forTool({ parameters = {}, ...wire }: WireCase): WireCase {
		const { simplify, options = {}, ...others } = parameters;
		// The output for a model contains the replaced values, so the record is read first.
		const [[method, url]] = wire.expectedRequests;
		const isReplacing = ['PUT', 'PATCH'].includes(method) && !/(members|reorder)$/.test(url);
		const reads = isReplacing ? [['GET', url] as Sent] : [];
		const notForModels = ['clean_text', 'hidden_type', 'permission_for'];
		const itemsForModel = wire.expectedItems.map((item) =>
			Object.fromEntries(Object.entries(item).filter(([field]) => !notForModels.includes(field))),
		);
		return {
			...wire,
			expectedRequests: [...reads, ...wire.expectedRequests],
			expectedItems: simplify === false ? wire.expectedItems : itemsForModel,
			parameters: {
				...others,
				...(simplify === false && { output: 'raw' }),
				options: { includeRoleName: false, ...(options as object) },
			},
		};
	}

	function sent(): Sent[] {
		return sandbox.requests.all.map(({ method, url, body }) =>
			body === undefined ? [method, url] : [method, url, body as IDataObject],
		);
	}

	const isForNames = ({ operation }: WireCase, [, url]: Sent) =>
		operation === 'board.reorder' && url.startsWith('/api/v1/boards?');

	// The member that an earlier test has created is read first.
	const isReadBack = ({ operation }: WireCase, [method]: Sent) =>
		operation === 'user.createOrGet' && method === 'GET';

	const ways: Array<[string, Way]> = [
		['', {}],
		[' as a tool', { isTool: true }],
	];

	const titled = cases.map(({ decision, ...wire }) => ({
		...wire,
		heading: decision ? `${wire.operation} (Decisions, ${decision})` : wire.operation,
	}));

	describe.each(titled)('$heading', (wire) => {
		const possible = ways.filter(([, { isTool }]) => !(isTool && wire.isForPeople));
		it.each(possible)(`${wire.title}%s`, async (_, way) => {
			const { expectedRequests, expectedItems, ...called } = way.isTool ? forTool(wire) : wire;
			const { items: output, error } = await run(
				{ ...called, expectedRequests, expectedItems },
				way,
			);
			// A model gets the hints as the last items.
			const items = way.isTool ? output.filter(({ json }) => !('hint' in json)) : output;

			expect(error).toBeUndefined();
			const own = sent().filter((each) => !isReadBack(wire, each));
			expect(own.filter((each) => !(way.isTool && isForNames(wire, each)))).toEqual(
				expectedRequests,
			);
			expect(items).toHaveLength(expectedItems.length);
			expect(items.map(({ json }) => json)).toMatchObject(expectedItems);
			for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
			for (const { headers } of sandbox.requests.all) {
				expect(headers).toMatchObject({
					authorization: `Basic ${Buffer.from('sandbox:sandbox-key').toString('base64')}`,
					'content-type': 'application/json',
					'user-agent': `n8n-nodes-community-platform/${version} (sandbox)`,
				});
			}
		});
	});

	describe('a resource locator', () => {
		type Form = (value: unknown, name: string) => unknown;
		const forms: Array<[string, Form]> = [
			['from the list', (value) => fromList(value)],
			['by ID', (value) => byId(value)],
			['by an expression', (_, name) => byId(`={{ $json.${name} }}`)],
			['by an expression instead of the whole locator', (_, name) => `={{ $json.${name} }}`],
		];
		const withLocator = cases.filter(({ parameters }) => locators(parameters).length > 0);

		it.each(forms)('names the same record %s', async (_, form) => {
			for (const wire of withLocator) {
				sandbox.reset();
				addKnownRecords(sandbox);
				const found = locators(wire.parameters);
				const item = Object.fromEntries(found.map((value, index) => [`id${index}`, value]));
				const { error } = await run({
					...wire,
					parameters: replaceLocators(wire.parameters, form),
					item: { ...wire.item, ...item } as IDataObject,
				});
				expect([wire.operation, error]).toEqual([wire.operation, undefined]);
				expect([wire.operation, sent()]).toEqual([wire.operation, wire.expectedRequests]);
			}
			expect(withLocator.length).toBeGreaterThan(15);
		});

		function locators(value: unknown): unknown[] {
			const found: unknown[] = [];
			replaceLocators(value, (id) => found.push(id));
			return found;
		}

		function replaceLocators(value: unknown, form: Form): INodeParameters {
			let count = 0;
			return JSON.parse(JSON.stringify(value ?? {}), (_, inner) =>
				inner?.__rl ? form(inner.value, `id${count++}`) : inner,
			);
		}
	});

	describe('this table', () => {
		it('has every operation of the node', () => {
			const described = operationsOf(properties).map(({ key }) => key);
			expect([...new Set(cases.map(({ operation }) => operation))].sort()).toEqual(
				described.sort(),
			);
		});

		it('uses every parameter of every operation', () => {
			const shared = ['returnAll', 'limit', 'simplify', 'options', 'requestOptions'];
			const unused = operationsOf(properties).flatMap(({ key }) => {
				const used = new Set(
					cases
						.filter(({ operation }) => operation === key)
						.flatMap(({ parameters }) => names(parameters)),
				);
				return parametersOf(properties, key)
					.filter(({ name, type }) => !shared.includes(name) && type !== 'notice')
					.flatMap(namesOf)
					.filter((name) => !used.has(name))
					.map((name) => `${key}: ${name}`);
			});
			expect(unused).toEqual([]);
		});

		function namesOf(field: INodeProperties): string[] {
			if (field.type !== 'collection') return [field.name];
			return (field.options as INodeProperties[]).map(({ name }) => `${field.name}.${name}`);
		}

		function names(parameters: INodeParameters = {}): string[] {
			return Object.entries(parameters).flatMap(([name, value]) => [
				name,
				...Object.keys(value ?? {}).map((inner) => `${name}.${inner}`),
			]);
		}
	});
});
