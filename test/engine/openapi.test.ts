import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { openApi, operations as documented, resolve, type Schema } from '../../sandbox/openapi.mts';
import { operationsOf, parametersOf, type DescribedOperation } from '../support/description.mts';

describe('Resources, operations, parameters', () => {
	// Some operations share an endpoint that is named after another operation.
	const DOCUMENTED_AS: Record<string, string> = {
		'tag.getByIds': 'tag.getAll',
		'tag.upsert': 'tag.create',
		'board.upsert': 'board.create',
		'user.createOrGet': 'user.create',
		'user.getCount': 'user.getAll',
	};
	// Pagination sends these.
	const SENT_BY_THE_WALK = ['page', 'page_size'];

	interface Documented {
		body?: Schema;
		query: Record<string, Schema>;
	}
	interface SentField {
		label: string;
		place: 'body' | 'query';
		/** Keys from the body or the query down to the field. */
		path: string[];
		field: INodeProperties;
	}

	const { properties } = new CommunityPlatform().description;
	const described = operationsOf(properties);

	it.each(described)('$key sends only documented fields, with documented values', (operation) => {
		const { body, query } = documentationOf(operation);
		for (const { label, place, path: keys, field } of sentBy(operation)) {
			const schema = place === 'query' ? query[keys[0]] : schemaAt(body, keys);
			expect([label, schema]).toEqual([label, expect.anything()]);
			expect([label, accepts(schema as Schema, field)]).toEqual([label, true]);
		}
	});

	describe('all operations together', () => {
		it('use every documented operation', () => {
			const used = described.map(({ key }) => DOCUMENTED_AS[key] ?? key);
			expect([...new Set(used)].sort()).toEqual([...documented.keys()].sort());
		});

		it('can send every documented field', () => {
			const missing = [...documented.keys()].flatMap((id) => {
				const users = described.filter(({ key }) => (DOCUMENTED_AS[key] ?? key) === id);
				const { body, query } = documentationOf(users[0]);
				const sent = new Set([
					...users.flatMap(sentBy).map(({ place, path }) => `${place} ${path.join('.')}`),
					...users.flatMap(({ option: { routing } }) => [
						...Object.keys((routing?.request?.body ?? {}) as object).map((name) => `body ${name}`),
						...Object.keys(routing?.request?.qs ?? {}).map((name) => `query ${name}`),
					]),
				]);
				const all = [
					...Object.keys(query).map((name) => `query ${name}`),
					...leavesOf(body).map((name) => `body ${name}`),
				];
				return all.filter((each) => !sent.has(each)).map((each) => `${id}: ${each}`);
			});
			const unexpected = missing.filter(
				(each) => !SENT_BY_THE_WALK.some((name) => each.endsWith(` ${name}`)),
			);
			expect(unexpected).toEqual([]);
			// Proves that the comparison above finds missing fields.
			const lists = described.filter((each) => 'page_size' in documentationOf(each).query);
			const listing = new Set(lists.map(({ key }) => DOCUMENTED_AS[key] ?? key));
			expect(missing).toHaveLength(SENT_BY_THE_WALK.length * listing.size);
		});
	});

	function documentedFor({ key }: DescribedOperation) {
		const operation = documented.get(DOCUMENTED_AS[key] ?? key);
		if (!operation) throw new TypeError(`${key} is not documented`);
		return operation;
	}

	function documentationOf(operation: DescribedOperation): Documented {
		const { path, method } = documentedFor(operation);
		const item = openApi.paths[path];
		const details = item[method.toLowerCase() as 'get'];
		const parameters = [...(item.parameters ?? []), ...(details?.parameters ?? [])].map(resolve);
		const content = (details?.requestBody as { content?: Record<string, { schema: Schema }> })
			?.content;
		return {
			body: content && resolve(content['application/json'].schema),
			query: Object.fromEntries(
				parameters.filter((each) => each.in === 'query').map(({ name, schema }) => [name, schema]),
			),
		};
	}

	/** The properties that an operation's parameters send, including those in collections. */
	function sentBy({ key }: DescribedOperation): SentField[] {
		const fields = parametersOf(properties, key).flatMap((field) =>
			field.type === 'collection' ? (field.options as INodeProperties[]) : [field],
		);
		return fields.flatMap((field) => {
			const { type, property } = field.routing?.send ?? {};
			if (type === undefined || property === undefined) return [];
			const path = property.replace('[0]', '').split('.');
			return [{ label: `${key} ${field.name}`, place: type, path, field }];
		});
	}

	function schemaAt(schema: Schema | undefined, [first, ...rest]: string[]): Schema | undefined {
		if (schema === undefined || first === undefined) return schema;
		const inner = (resolve(schema).properties ?? {}) as Record<string, Schema>;
		return schemaAt(inner[first], rest);
	}

	function leavesOf(schema: Schema | undefined, prefix = ''): string[] {
		if (schema === undefined) return [];
		const inner = Object.entries((resolve(schema).properties ?? {}) as Record<string, Schema>);
		if (inner.length === 0) return [prefix.slice(0, -1)];
		return inner.flatMap(([name, each]) => leavesOf(each, `${prefix}${name}.`));
	}

	/** Whether the API accepts a parameter's type and its options. */
	function accepts(schema: Schema, { type, options, name }: INodeProperties): boolean {
		const { oneOf, ...resolved } = resolve(schema) as Schema & { oneOf?: Schema[] };
		if (oneOf)
			return oneOf.some((each) => accepts(each, { type, options, name } as INodeProperties));
		const types = [resolved.type].flat();
		if (type === 'boolean') return types.includes('boolean');
		if (type === 'options') {
			// "All" is the node's own value. It requests one status after another.
			const offered = (options as INodePropertyOptions[])
				.map(({ value }) => value)
				.filter((value) => value !== 'all');
			const taken = (resolved.enum ?? []) as unknown[];
			return offered.length === taken.length && offered.every((value) => taken.includes(value));
		}
		if (type === 'json' || type === 'fixedCollection' || /Members$/.test(name)) {
			return types.includes('object');
		}
		if (type === 'resourceLocator') {
			return types.some((each) => ['integer', 'string', 'array'].includes(each as string));
		}
		return types.includes('string');
	}
});
