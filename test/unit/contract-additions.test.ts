import { breakingDifferences } from '../../scripts/contract/contract-differences.mts';
import type { Parameter } from '../../scripts/contract/public-contract.mts';
import { type Change, changed, show, text } from '../support/contract-changes.mts';
import { drop, madeUpContract } from '../support/made-up-contract.mts';

const onlyFor = (version: number, parameter: Parameter): Parameter => ({
	...parameter,
	displayOptions: { show: { ...parameter.displayOptions?.show, '@version': [version] } },
});

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

describe('saved workflows go on working when', () => {
	it.each(COMPATIBLE)('%s', (_what, change) => {
		expect(breakingDifferences(madeUpContract(), changed(change))).toEqual([]);
	});
});
