import type { Parameter, PublicContract } from '../../scripts/contract/public-contract.mts';

const forUser = (...operation: string[]) => ({ show: { resource: ['user'], operation } });

const parameters: Parameter[] = [
	{ name: 'resource', type: 'options', default: 'user', isFixed: true, values: ['board', 'user'] },
	{
		name: 'operation',
		type: 'options',
		default: 'get',
		isFixed: true,
		displayOptions: { show: { resource: ['user'] } },
		values: ['get', 'getAll', 'update'],
	},
	{
		name: 'operation',
		type: 'options',
		default: 'get',
		isFixed: true,
		displayOptions: { show: { resource: ['board'] } },
		values: ['get'],
	},
	{
		name: 'userId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		displayOptions: forUser('get', 'update'),
		modes: { list: { type: 'list' }, id: { type: 'string' } },
	},
	{ name: 'returnAll', type: 'boolean', default: false, displayOptions: forUser('getAll') },
	{
		name: 'limit',
		type: 'number',
		default: 50,
		min: 1,
		max: 200,
		displayOptions: { show: { resource: ['user'], operation: ['getAll'], returnAll: [false] } },
	},
	{
		name: 'status',
		type: 'options',
		default: 10,
		displayOptions: forUser('getAll'),
		values: [4, 10],
	},
	{ name: 'headline', type: 'string', default: '', displayOptions: forUser('update') },
	{
		name: 'subtitle',
		type: 'string',
		default: '',
		displayOptions: { ...forUser('update'), hide: { headline: [''] } },
	},
	{
		name: 'layout',
		type: 'options',
		default: 'short',
		displayOptions: forUser('get'),
		values: ['short', 'long'],
	},
	// Where there is a layout, it says, and not the operation.
	{ name: 'depth', type: 'number', default: 1, displayOptions: { show: { layout: ['long'] } } },
	{
		name: 'members',
		type: 'fixedCollection',
		default: {},
		displayOptions: forUser('update'),
		groups: {
			rows: [
				{ name: 'key', type: 'string', default: '' },
				{ name: 'access', type: 'options', default: 'add', values: ['add', 'remove'] },
			],
		},
	},
	{
		name: 'options',
		type: 'collection',
		default: {},
		parameters: [
			{ name: 'retries', type: 'number', default: 5 },
			{ name: 'order', type: 'options', default: 'asc', values: ['asc', 'desc'] },
			{
				name: 'pages',
				type: 'number',
				default: 9,
				displayOptions: { show: { '/returnAll': [true] } },
			},
			// Called as one outside is.
			{ name: 'returnAll', type: 'boolean', default: false },
			{ name: 'most', type: 'number', default: 9, displayOptions: { show: { returnAll: [true] } } },
		],
	},
];

/**
 * A contract that was never anybody's: an action node and a trigger, small enough to be read, with one of
 * everything that a contract can have.
 *
 * @returns a copy that may be changed
 */
export function madeUpContract(): PublicContract {
	return structuredClone<PublicContract>({
		package: 'n8n-nodes-thing',
		nodes: {
			thing: {
				versions: [1],
				kind: 'action',
				isTool: true,
				inputs: ['main'],
				outputs: ['main'],
				credentials: { thingApi: true },
				webhooks: {},
				answers: {},
				pickers: ['searchBoards', 'searchUsers'],
				parameters,
				items: {
					1: {
						'user.get': { fields: { id: 'integer', name: 'string|null' }, whole: ['id', 'email'] },
						'board.get': { fields: { 'about.text': 'string' } },
					},
				},
			},
			thingTrigger: {
				versions: [1],
				kind: 'trigger',
				isTool: false,
				inputs: [],
				outputs: ['main'],
				credentials: { thingApi: false },
				webhooks: { default: { httpMethod: 'POST', path: 'webhook' } },
				answers: { accepted: 200, wrongSecret: 401 },
				pickers: [],
				parameters: [
					{ name: 'events', type: 'multiOptions', default: [], values: ['*', 'joined'] },
				],
				items: { 1: { event: { fields: { event: 'string', 'user.id': 'integer|null' } } } },
			},
		},
		credentials: {
			thingApi: [
				{ name: 'baseUrl', type: 'string', default: '', required: true },
				{ name: 'secret', type: 'string', default: '' },
			],
		},
	});
}

/** The parameters of a list with a name. */
export function called(name: string, all: Parameter[]): Parameter[] {
	return all.filter((each) => each.name === name);
}

/** Takes the parameters with a name out of a list. */
export function drop(name: string, all: Parameter[]): Parameter[] {
	const dropped = called(name, all);
	for (const each of dropped) all.splice(all.indexOf(each), 1);
	return dropped;
}
