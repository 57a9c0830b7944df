import { breakingDifferences } from '../../scripts/contract/contract-differences.mts';
import type {
	NodeContract,
	Parameter,
	PublicContract,
} from '../../scripts/contract/public-contract.mts';
import { called, drop, madeUpContract } from '../support/made-up-contract.mts';

/** Changes the contract; the action node, its parameters and the trigger are at hand. */
type Change = (at: {
	contract: PublicContract;
	node: NodeContract;
	all: Parameter[];
	/** The first parameter with a name, those in the collection and in the rows included. */
	one: (name: string) => Parameter;
	trigger: NodeContract;
	credential: Parameter[];
}) => void;

function changed(change: Change): PublicContract {
	const contract = madeUpContract();
	const { thing: node, thingTrigger: trigger } = contract.nodes;
	const all = node.parameters;
	const everything = all.flatMap((each) => [
		each,
		...(each.parameters ?? []),
		...(each.groups?.rows ?? []),
	]);
	const one = (name: string) => called(name, everything)[0];
	change({ contract, node, all, one, trigger, credential: contract.credentials.thingApi });
	return contract;
}

const show = (parameter: Parameter) => parameter.displayOptions?.show as Record<string, unknown[]>;
const text = (name: string): Parameter => ({ name, type: 'string', default: '' });
const onlyFor = (version: number, parameter: Parameter): Parameter => ({
	...parameter,
	displayOptions: { show: { ...parameter.displayOptions?.show, '@version': [version] } },
});

const WHEN_UPDATING = '(@version 1, resource user, operation update; and 1 more)';
const ANYWHERE = '(@version 1, resource board, operation get; and 9 more)';
const WHEN_LISTING = '(@version 1, resource user, operation getAll; and 1 more)';

const BREAKING: Array<[what: string, change: Change, ...says: string[]]> = [
	[
		'a parameter is removed',
		({ all }) => drop('headline', all),
		`thing: headline is gone ${WHEN_UPDATING}`,
	],
	[
		'a parameter is renamed',
		({ one }) => (one('headline').name = 'title'),
		`thing: headline is gone ${WHEN_UPDATING}`,
	],
	[
		'its type changes',
		({ one }) => (one('headline').type = 'json'),
		`thing: headline was string and is json ${WHEN_UPDATING}`,
	],
	[
		'its default changes, which saved workflows do not say',
		({ one }) => (one('status').default = 4),
		`thing: status had the default 10 and has 4 ${WHEN_LISTING}`,
	],
	[
		'a default is taken away',
		({ one }) => delete (one('headline') as Partial<Parameter>).default,
		`thing: headline had the default "" and has nothing ${WHEN_UPDATING}`,
	],
	[
		'an option is removed',
		({ one }) => (one('status').values = [10]),
		`thing: status no longer offers 4 ${WHEN_LISTING}`,
	],
	[
		"an option's value becomes text",
		({ one }) => (one('status').values = [4, '10']),
		`thing: status no longer offers 10 ${WHEN_LISTING}`,
	],
	[
		'it has to be filled in from now on',
		({ one }) => (one('headline').required = true),
		`thing: headline has to be filled in now ${WHEN_UPDATING}`,
	],
	[
		'a new one has to be filled in',
		({ all }) => all.push({ ...text('reason'), required: true }),
		'thing: reason is new and has to be filled in (@version 1; and 1 more)',
	],
	[
		'one that has to be filled in is shown for more operations',
		({ one }) => show(one('userId')).operation.push('getAll'),
		`thing: userId is new and has to be filled in ${WHEN_LISTING}`,
	],
	[
		'it takes no expression any more',
		({ one }) => (one('headline').isFixed = true),
		`thing: headline takes no expression any more ${WHEN_UPDATING}`,
	],
	[
		'it is shown for fewer operations',
		({ one }) => (show(one('userId')).operation = ['update']),
		'thing: userId is gone (@version 1, resource user, operation get; and 1 more)',
	],
	[
		'it is shown under one more condition',
		({ one }) => (show(one('headline')).status = [10]),
		// What decides is not even shown there.
		`thing: headline is gone ${WHEN_UPDATING}`,
	],
	[
		'it is shown under one more condition that some fulfil',
		({ one }) => (show(one('status')).returnAll = [true]),
		'thing: status is gone (@version 1, resource user, operation getAll, returnAll false; and 1 more)',
	],
	[
		'one is removed that is shown for any text but one',
		({ all }) => drop('subtitle', all),
		'thing: subtitle is gone (@version 1, resource user, operation update, headline anything else; and 1 more)',
	],
	[
		'one is removed that is shown by what is itself only shown for an operation',
		({ all }) => drop('depth', all),
		'thing: depth is gone (@version 1, resource user, operation get, layout long; and 1 more)',
	],
	[
		'an option of a collection is removed that is shown by what stands outside',
		({ one }) => drop('pages', one('options').parameters ?? []),
		'thing: options.pages is gone (@version 1, resource user, operation getAll, returnAll true; and 1 more)',
	],
	[
		'an option of a collection depends on what stands outside, which is called as one inside',
		({ one }) => (show(one('most'))['/returnAll'] = [true]),
		'thing: options.most is gone (@version 1, resource board, operation get, returnAll true; and 7 more)',
	],
	[
		'it is hidden under a condition',
		({ one }) => (one('options').displayOptions = { hide: { resource: ['board'] } }),
		'thing: options is gone (@version 1, resource board, operation get; and 1 more)',
	],
	[
		'it is hidden from AI agents',
		({ one }) => (one('options').displayOptions = { hide: { '@tool': [true] } }),
		'thing: options is gone (@version 1, @tool true, resource board, operation get; and 4 more)',
	],
	[
		'it is moved into a collection',
		({ all, one }) => one('options').parameters?.push(...drop('headline', all)),
		`thing: headline is gone ${WHEN_UPDATING}`,
	],
	[
		'it is moved out of a collection',
		({ all, one }) => all.push(...drop('retries', one('options').parameters ?? [])),
		`thing: options.retries is gone ${ANYWHERE}`,
	],
	[
		'an option of a collection is removed',
		({ one }) => drop('order', one('options').parameters ?? []),
		`thing: options.order is gone ${ANYWHERE}`,
	],
	[
		'an option of a collection changes its default',
		({ one }) => (one('retries').default = 6),
		`thing: options.retries had the default 5 and has 6 ${ANYWHERE}`,
	],
	[
		'a parameter in rows is removed',
		({ one }) => drop('key', one('members').groups?.rows ?? []),
		`thing: members.rows.key is gone ${WHEN_UPDATING}`,
	],
	[
		'what a parameter in rows offers is removed',
		({ one }) => (one('access').values = ['add']),
		`thing: members.rows.access no longer offers "remove" ${WHEN_UPDATING}`,
	],
	[
		'a new one in rows has to be filled in',
		({ one }) => one('members').groups?.rows.push({ ...text('reason'), required: true }),
		`thing: members.rows.reason is new and has to be filled in ${WHEN_UPDATING}`,
	],
	[
		'the rows are renamed',
		({ one }) => (one('members').groups = { lines: one('members').groups?.rows ?? [] }),
		`thing: members.rows is gone ${WHEN_UPDATING}`,
	],
	[
		'a mode of a locator is removed',
		({ one }) => delete one('userId').modes?.id,
		'thing: userId has no mode "id" any more (@version 1, resource user, operation get; and 3 more)',
	],
	[
		'a mode of a locator takes less',
		({ one }) => (one('userId').modes!.id = { type: 'string', validation: [] }),
		'thing: userId has another mode "id" (@version 1, resource user, operation get; and 3 more)',
	],
	[
		'the least number is raised',
		({ one }) => (one('limit').min = 2),
		'thing: limit begins at 2 now (@version 1, resource user, operation getAll, returnAll false; and 1 more)',
	],
	[
		'a most number is set',
		({ one }) => (one('retries').max = 9),
		`thing: options.retries ends at 9 now ${ANYWHERE}`,
	],
	[
		'something is said of it that the gate does not know',
		({ one }) => (one('headline').others = { multipleValues: true }),
		`thing: headline said nothing and says {"multipleValues":true} ${WHEN_UPDATING}`,
	],
	[
		'an operation is removed',
		({ all }) => (called('operation', all)[0].values = ['get', 'getAll']),
		'thing: operation no longer offers "update" (@version 1, resource user; and 1 more)',
	],
	[
		'a resource is removed',
		({ all, one }) => {
			all.splice(all.indexOf(called('operation', all)[1]), 1);
			one('resource').values = ['user'];
		},
		'thing: resource no longer offers "board" (@version 1; and 1 more)',
		'thing: operation is gone (@version 1, resource board; and 1 more)',
	],
	[
		'a list to choose from is removed',
		({ node }) => node.pickers.pop(),
		'thing: the list searchUsers is gone',
	],
	[
		'a node is removed',
		({ contract }) => delete contract.nodes.thingTrigger,
		'thingTrigger is gone',
	],
	[
		'a node is renamed',
		({ contract, node }) => {
			contract.nodes.things = node;
			delete contract.nodes.thing;
		},
		'thing is gone',
	],
	[
		'the package is renamed',
		({ contract }) => (contract.package = 'n8n-nodes-things'),
		'The package was n8n-nodes-thing and is n8n-nodes-things',
	],
	[
		'a trigger becomes an action',
		({ trigger }) => (trigger.kind = 'action'),
		'thingTrigger: its kind was trigger and is action',
	],
	[
		'AI agents cannot use it any more',
		({ node }) => (node.isTool = false),
		'thing: is no tool any more',
	],
	[
		'an output is put in front of the others',
		({ node }) => node.outputs.unshift('done'),
		'thing: the outputs were main and are done, main',
	],
	[
		'the version is raised and the old one dropped',
		({ node }) => (node.versions = [2]),
		'thing: version 1 is gone',
	],
	[
		'the version is raised, and the old one is shown less, too',
		({ node, all }) => {
			node.versions = [1, 2];
			drop('headline', all);
		},
		`thing: headline is gone ${WHEN_UPDATING}`,
	],
	[
		'the version is raised, and a new parameter has to be filled in for both',
		({ node, all }) => {
			node.versions = [1, 2];
			all.push({ ...text('reason'), required: true });
		},
		'thing: reason is new and has to be filled in (@version 1; and 1 more)',
	],
	[
		'the version is raised, and the items of the old one lose a field',
		({ node }) => {
			node.versions = [1, 2];
			node.items[2] = structuredClone(node.items[1]);
			delete node.items[1]['user.get'].fields.name;
		},
		'thing: the field name of user.get is gone',
	],
	[
		'a field of an item is gone',
		({ node }) => delete node.items[1]['user.get'].fields.name,
		'thing: the field name of user.get is gone',
	],
	[
		'a field of the items that are not simplified is gone',
		({ node }) => node.items[1]['user.get'].whole?.pop(),
		'thing: the field email of user.get, not simplified, is gone',
	],
	[
		'the type of a field changes',
		({ node }) => (node.items[1]['user.get'].fields.id = 'string'),
		'thing: the field id of user.get was integer and is string',
	],
	[
		'a field can be null',
		({ node }) => (node.items[1]['user.get'].fields.id = 'integer|null'),
		'thing: the field id of user.get was integer and is integer|null',
	],
	[
		"a field of a trigger's items is gone",
		({ trigger }) => delete trigger.items[1].event.fields['user.id'],
		'thingTrigger: the field user.id of event is gone',
	],
	[
		'what the items of an operation look like is not said any more',
		({ node }) => delete node.items[1]['board.get'],
		'thing: the items of board.get are gone',
	],
	[
		'an answer to a delivery gets another status',
		({ trigger }) => (trigger.answers.wrongSecret = 403),
		'thingTrigger: the answer "wrongSecret" was 401 and is 403',
	],
	[
		'an answer to a delivery is removed',
		({ trigger }) => delete trigger.answers.accepted,
		'thingTrigger: the answer "accepted" is gone',
	],
	[
		'the webhook has another path',
		({ trigger }) => (trigger.webhooks.default.path = 'events'),
		'thingTrigger: the webhook "default" was {"httpMethod":"POST","path":"webhook"} and is {"httpMethod":"POST","path":"events"}',
	],
	[
		'an event is not offered any more',
		({ trigger }) => (trigger.parameters[0].values = ['*']),
		'thingTrigger: events no longer offers "joined" (@version 1)',
	],
	[
		'a field of the credential is removed',
		({ credential }) => drop('secret', credential),
		'thingApi: secret is gone',
	],
	[
		'a new field of the credential has to be filled in',
		({ credential }) => credential.push({ ...text('tenant'), required: true }),
		'thingApi: tenant is new and has to be filled in',
	],
	[
		'the credential is renamed',
		({ contract, credential }) => {
			contract.credentials = { thingsApi: credential };
			contract.nodes.thing.credentials = { thingsApi: true };
		},
		'thing: the credential thingApi is gone',
		'thing: the credential thingsApi has to be given now',
		'thingApi is gone',
	],
	[
		'a credential has to be given from now on',
		({ trigger }) => (trigger.credentials.thingApi = true),
		'thingTrigger: the credential thingApi has to be given now',
	],
];

const COMPATIBLE: Array<[what: string, change: Change]> = [
	['nothing changes', () => {}],
	['a parameter is added', ({ all }) => all.push(text('reason'))],
	[
		'a parameter is added that has to be filled in, and is already',
		({ all }) => all.push({ ...text('reason'), default: 'none', required: true }),
	],
	['the parameters are put in another order', ({ all }) => all.reverse()],
	['an option is added', ({ one }) => one('status').values?.unshift(5)],
	['it need not be filled in any more', ({ one }) => delete one('userId').required],
	['it takes an expression now', ({ one }) => delete one('operation').isFixed],
	['it is shown for more operations', ({ one }) => show(one('headline')).operation.push('get')],
	['it is shown under one condition less', ({ one }) => delete show(one('limit')).returnAll],
	[
		'it is shown under one more condition that all fulfil',
		({ one }) => (show(one('status')).returnAll = [true, false]),
	],
	[
		'it is shown under a condition on a new parameter, whose default fulfils it',
		({ all, one }) => {
			all.push({ name: 'form', type: 'options', default: 'short', values: ['short', 'long'] });
			show(one('headline')).form = ['short'];
		},
	],
	[
		'it is declared twice, each time for some',
		({ all, one }) => {
			const other = structuredClone(one('userId'));
			show(one('userId')).operation = ['get'];
			show(other).operation = ['update'];
			all.push(other);
		},
	],
	[
		'it is said to be hidden where it never was shown',
		({ one }) => (one('limit').displayOptions!.hide = { resource: ['board'] }),
	],
	[
		'an option that has to be filled in is added to a collection',
		({ one }) => one('options').parameters?.push({ ...text('reason'), required: true }),
	],
	['a parameter is added to rows', ({ one }) => one('members').groups?.rows.push(text('reason'))],
	['a mode is added to a locator', ({ one }) => (one('userId').modes!.name = { type: 'string' })],
	[
		'the bounds of a number are widened',
		({ one }) => Object.assign(one('limit'), { min: 0, max: 9e9 }),
	],
	['the bounds of a number are lifted', ({ one }) => delete one('limit').max],
	[
		'a resource and its operation are added',
		({ all, one }) => {
			one('resource').values?.push('tag');
			all.push({ ...one('operation'), displayOptions: { show: { resource: ['tag'] } } });
			const show = { resource: ['tag'], operation: ['get'] };
			all.push({ ...text('tagId'), required: true, displayOptions: { show } });
		},
	],
	['a list to choose from is added', ({ node }) => node.pickers.push('searchTags')],
	['a node is added', ({ contract, node }) => (contract.nodes.another = node)],
	['AI agents can use it', ({ trigger }) => (trigger.isTool = true)],
	['an output is added behind the others', ({ node }) => node.outputs.push('done')],
	['an answer to a delivery is added', ({ trigger }) => (trigger.answers.tooLarge = 413)],
	['a webhook is added', ({ trigger }) => (trigger.webhooks.setup = { httpMethod: 'GET' })],
	['a field is added to an item', ({ node }) => (node.items[1]['user.get'].fields.role = 'string')],
	['a field is null no more', ({ node }) => (node.items[1]['user.get'].fields.name = 'string')],
	['a field is added to the credential', ({ credential }) => credential.push(text('tenant'))],
	['a credential may be left out', ({ node }) => (node.credentials.thingApi = false)],
	['the version is raised and the old one kept', ({ node }) => (node.versions = [1, 2])],
	[
		'the version is raised, and a parameter of the new one has another name, type and default',
		({ node, all }) => {
			node.versions = [1, 2];
			const [old] = drop('status', all);
			const renewed = { ...old, name: 'state', type: 'string', default: 'joined' };
			all.push(onlyFor(1, old), onlyFor(2, renewed));
		},
	],
	[
		'the version is raised, and a parameter of the new one has the same name and must be filled in',
		({ node, all }) => {
			node.versions = [1, 2];
			const [old] = drop('headline', all);
			all.push(onlyFor(1, old), onlyFor(2, { ...old, type: 'json', required: true }));
		},
	],
	[
		'the version is raised, and the items of the new one lose a field',
		({ node }) => {
			node.versions = [1, 2];
			node.items[2] = structuredClone(node.items[1]);
			delete node.items[2]['user.get'].fields.name;
		},
	],
];

describe('it breaks saved workflows when', () => {
	it.each(BREAKING)('%s', (_what, change, ...says) => {
		expect(breakingDifferences(madeUpContract(), changed(change))).toEqual(says);
	});
});

describe('saved workflows go on working when', () => {
	it.each(COMPATIBLE)('%s', (_what, change) => {
		expect(breakingDifferences(madeUpContract(), changed(change))).toEqual([]);
	});
});
