import type { Case } from './measure.mts';
import { httpRequest, node } from './peers.mts';

const HTTP = 'HTTP Request';
const NODE = 'Community Platform';
const BATCHED = 'HTTP Request, batched by hand';

const PER_SECOND = 100;
const BURST = 10;

/** Cases on a community with 1,800 active members, 36 pages. */
export const listings: Case[] = [
	{
		name: 'List 1,800 members for the first time, 20 ms per page',
		setup: { delayMs: 20 },
		// Three pages at a time request at most two that do not exist (docs/sending.md, "Pagination").
		floor: 2,
		peers: {
			[NODE]: node.list,
			[HTTP]: httpRequest.list,
		},
	},
];

/** Cases on a community with 5,000 active members. */
export const updates: Case[] = [
	...[500, 5_000].map((count) => ({
		name: `Update ${count.toLocaleString('en')} roles`,
		floor: 1,
		peers: {
			[NODE]: node.updateRoles(count),
			[HTTP]: httpRequest.updateRoles(count),
		},
	})),
	{
		name: 'Update 2,000 roles, in processor time',
		ceiling: 0.9,
		peers: {
			[NODE]: node.updateRoles(2_000),
			[HTTP]: httpRequest.updateRoles(2_000),
		},
	},
	{
		name: 'Read 2,000 members, in processor time',
		ceiling: 0.9,
		peers: {
			[NODE]: node.getById(2_000),
			[HTTP]: httpRequest.getById(2_000),
		},
	},
	{
		name: 'Create or Get 500 known members, 20 ms per answer',
		setup: { delayMs: 20 },
		before: node.createOrGet(500),
		floor: 0.67,
		peers: {
			[NODE]: node.createOrGet(500),
			[HTTP]: httpRequest.getById(500),
		},
	},
	{
		name: 'Update Members of 500 rows for one board, 20 ms per answer',
		setup: { delayMs: 20 },
		floor: 1.5,
		peers: {
			[NODE]: node.updateMembers(500),
			[HTTP]: httpRequest.updateMembers(500),
		},
	},
	{
		name: 'Update 500 roles, 100 ms per answer',
		setup: { delayMs: 100 },
		peers: {
			[NODE]: node.updateRoles(500),
			[HTTP]: httpRequest.updateRoles(500),
		},
	},
	{
		name: `Update 500 roles, at most ${PER_SECOND} a second and ${BURST} at once`,
		setup: { rateLimit: { perSecond: PER_SECOND, burst: BURST, retryAfterSeconds: 1 } },
		peers: {
			[NODE]: node.updateRoles(500),
			[HTTP]: httpRequest.updateRoles(500),
			// As set by someone who knows the limit.
			[BATCHED]: httpRequest.updateRoles(500, {
				batchSize: BURST,
				batchInterval: (BURST * 1000) / PER_SECOND,
			}),
		},
	},
];
