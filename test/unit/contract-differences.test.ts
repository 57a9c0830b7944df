import {
	breaks,
	described,
	type Difference,
	differencesOf,
} from '../../dev/scripts/contract/differences.mts';
import type { Contract } from '../../dev/scripts/contract/public-contract.mts';

const before = (): Contract => ({
	package: 'n8n-nodes-thing',
	nodes: {
		thing: {
			versions: [1],
			outputs: { 0: 'main' },
			credentials: { thingApi: { required: true } },
			answers: { accepted: 200 },
			deliveries: ['a member who joined', 'no job_id'],
			pickers: ['searchUsers'],
			parameters: {
				'user.getAll': {
					limit: { type: 'number', default: 50, minValue: 1, when: '{"show":{"all":[false]}}' },
					status: { type: 'options', default: 10, values: [4, 10], required: true },
					options: {
						type: 'collection',
						default: {},
						options: { retries: { type: 'number', default: 5 } },
					},
					userId: {
						type: 'resourceLocator',
						default: { mode: 'list', value: '' },
						modes: { list: { type: 'list' }, id: { type: 'string' } },
					},
				},
			},
			items: {
				1: { 'user.get': { fields: { id: 'integer', name: 'string|null' }, whole: ['id'] } },
			},
		},
	},
	credentials: { thingApi: { apiKey: { type: 'string', default: '', required: true } } },
});
const NODE = ['nodes', 'thing'];
const PARAMETERS = [...NODE, 'parameters', 'user.getAll'];
const FIELDS = [...NODE, 'items', '1', 'user.get', 'fields'];

/** What differs once the entry at a path has a value; undefined takes it away. */
function changed(path: string[], value: unknown): Difference[] {
	const after = before();
	const parent = path
		.slice(0, -1)
		.reduce<Record<string, unknown>>((branch, key) => branch[key] as typeof branch, after);
	const key = path.at(-1) as string;
	if (value === undefined) delete parent[key];
	else parent[key] = value;
	return differencesOf(before(), after);
}

type Change = [what: string, path: string[], value: unknown];

describe('a saved workflow certainly breaks when', () => {
	it.each<Change>([
		['the package is renamed', ['package'], 'n8n-nodes-things'],
		['a node is gone', NODE, undefined],
		['a version is gone', [...NODE, 'versions'], [2]],
		['another output comes first', [...NODE, 'outputs'], { 0: 'done', 1: 'main' }],
		['a list to choose from is gone', [...NODE, 'pickers'], []],
		['an answer has another status', [...NODE, 'answers', 'accepted'], 202],
		['a body is refused that was accepted', [...NODE, 'deliveries'], ['a member who joined']],
		['an operation is gone', PARAMETERS, undefined],
		['a parameter is gone', [...PARAMETERS, 'limit'], undefined],
		['its type changes', [...PARAMETERS, 'limit', 'type'], 'string'],
		['its default changes', [...PARAMETERS, 'options', 'options', 'retries', 'default'], 4],
		['the default of a locator changes', [...PARAMETERS, 'userId', 'default', 'mode'], 'id'],
		['a mode is gone', [...PARAMETERS, 'userId', 'modes', 'id'], undefined],
		['a value is not offered any more', [...PARAMETERS, 'status', 'values'], [10]],
		['its smallest value grows', [...PARAMETERS, 'limit', 'minValue'], 2],
		['it gets a largest value', [...PARAMETERS, 'limit', 'maxValue'], 200],
		['it has to be filled in', [...PARAMETERS, 'limit', 'required'], true],
		['it takes no expression any more', [...PARAMETERS, 'limit', 'noDataExpression'], true],
		[
			'a new one has to be filled in',
			[...PARAMETERS, 'reason'],
			{ type: 'string', default: '', required: true },
		],
		['a field of the items is gone', [...FIELDS, 'id'], undefined],
		['a field has another type', [...FIELDS, 'id'], 'string'],
		['a field can be null', [...FIELDS, 'id'], 'integer|null'],
		['a credential is renamed', [...NODE, 'credentials'], { thingsApi: { required: true } }],
		['a field of the credential is gone', ['credentials', 'thingApi', 'apiKey'], undefined],
		[
			'a new field of the credential has to be filled in',
			['credentials', 'thingApi', 'tenant'],
			{ type: 'string', default: '', required: true },
		],
	])('%s', (_what, path, value) => {
		expect(changed(path, value).some(breaks)).toBe(true);
	});
});

describe('saved workflows may go on when', () => {
	it.each<Change>([
		['a node is new', ['nodes', 'other'], {}],
		['a version is new', [...NODE, 'versions'], [1, 2]],
		['an output is new', [...NODE, 'outputs'], { 0: 'main', 1: 'done' }],
		['an answer is new', [...NODE, 'answers', 'tooLarge'], 413],
		['a parameter is new', [...PARAMETERS, 'reason'], { type: 'string', default: '' }],
		[
			'a new one is filled in by its default',
			[...PARAMETERS, 'reason'],
			{ type: 'string', default: 'none', required: true },
		],
		['a value is new', [...PARAMETERS, 'status', 'values'], [10, 4, 5]],
		['a parameter need not be filled in', [...PARAMETERS, 'status', 'required'], undefined],
		['its smallest value shrinks', [...PARAMETERS, 'limit', 'minValue'], 0],
		['its display rule changes', [...PARAMETERS, 'limit', 'when'], undefined],
		['a field is never null any more', [...FIELDS, 'name'], 'string'],
		['a field of the items is new', [...FIELDS, 'email'], 'string'],
		[
			'a new field of the credential is shown for some only',
			['credentials', 'thingApi', 'tenant'],
			{ type: 'string', default: '', required: true, when: '{"show":{"kind":["tenant"]}}' },
		],
	])('%s', (_what, path, value) => {
		const differences = changed(path, value);
		expect(differences).not.toEqual([]);
		expect(differences.filter(breaks)).toEqual([]);
	});
});

it('differences are described once for all operations', () => {
	const place = (name: string) => [...NODE, 'parameters', name, 'limit', 'default'];
	expect(
		described([
			{ path: place('user.getAll'), then: 50, now: 20 },
			{ path: place('tag.getAll'), then: 50, now: 20 },
			{ path: [...NODE, 'pickers', 'searchUsers'], then: 'searchUsers' },
			{ path: [...NODE, 'answers', 'tooLarge'], now: 413 },
		]),
	).toEqual([
		'nodes > thing > parameters > limit > default: was 50, is 20 (user.getAll and 1 more)',
		'nodes > thing > pickers > searchUsers: gone',
		'nodes > thing > answers > tooLarge: new, 413',
	]);
});
