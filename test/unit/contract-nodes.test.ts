import { breakingDifferences } from '../../scripts/contract/contract-differences.mts';
import { type Change, changed, text } from '../support/contract-changes.mts';
import { called, drop, madeUpContract } from '../support/made-up-contract.mts';

const WHEN_UPDATING = '(@version 1, resource user, operation update; and 1 more)';

const BREAKING: Array<[what: string, change: Change, ...says: string[]]> = [
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

describe('it breaks saved workflows when', () => {
	it.each(BREAKING)('%s', (_what, change, ...says) => {
		expect(breakingDifferences(madeUpContract(), changed(change))).toEqual(says);
	});
});
