import { breakingDifferences } from '../../scripts/contract/contract-differences.mts';
import type { Parameter } from '../../scripts/contract/public-contract.mts';
import { type Change, changed, show, text } from '../support/contract-changes.mts';
import { drop, madeUpContract } from '../support/made-up-contract.mts';

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
];

describe('it breaks saved workflows when, of a parameter,', () => {
	it.each(BREAKING)('%s', (_what, change, ...says) => {
		expect(breakingDifferences(madeUpContract(), changed(change))).toEqual(says);
	});
});
