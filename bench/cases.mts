import type { Case } from './measure.mts';
import { httpRequest, node, plain, routing } from './peers.mts';

export const NODE = 'Community Platform';
export const HTTP = 'HTTP Request';
const ROUTING = 'n8n routing alone';
const SEQUENTIAL = 'axios, one after another';
const PARALLEL = 'axios, 20 at once';

const PER_SECOND = 100;

/** Cases on a community with 1,800 active members. */
export const listings: Case[] = [0, 20, 100].map((delayMs) => ({
	name: `List 1,800 members, ${delayMs} ms per page`,
	setup: { delayMs },
	peers: {
		[NODE]: node.list(),
		[HTTP]: httpRequest.list(),
		[SEQUENTIAL]: plain.list(1),
		[PARALLEL]: plain.list(),
	},
}));

/** Cases on a community with 10,000 active members. */
export const updates: Case[] = [
	...[500, 5_000].map((count) => ({
		name: `Update ${count.toLocaleString('en')} roles`,
		method: 'PATCH' as const,
		peers: {
			[NODE]: node.updateRoles(count),
			[HTTP]: httpRequest.updateRoles(count),
			[ROUTING]: routing.updateRoles(count),
			[SEQUENTIAL]: plain.updateRoles(count, 1),
			[PARALLEL]: plain.updateRoles(count),
		},
	})),
	limited(500, 10),
	limited(5_000, 10),
	limited(500, 100),
	{
		name: 'Update 500 roles, one answer in twenty is a 503',
		method: 'PATCH',
		setup: { fault: { kind: 'status', status: 503, probability: 0.05, method: 'PATCH' } },
		peers: { [NODE]: node.updateRoles(500), [HTTP]: httpRequest.updateRoles(500) },
	},
	{
		name: 'Update 160 tags, keeping other fields',
		method: 'PUT',
		peers: { [NODE]: node.updateTags(), [PARALLEL]: plain.updateTags() },
	},
	...[1_000, 2_000, 10_000].map((count) => ({
		name: `Cost per item, ${count.toLocaleString('en')} updates`,
		method: 'PATCH' as const,
		rounds: 5,
		peers: { [NODE]: node.updateRoles(count), [PARALLEL]: plain.updateRoles(count) },
	})),
];

function limited(count: number, burst: number): Case {
	const peers = { [NODE]: node.updateRoles(count), [HTTP]: httpRequest.updateRoles(count) };
	return {
		name: `Update ${count.toLocaleString('en')} roles, at most ${PER_SECOND} a second and ${burst} at once`,
		method: 'PATCH',
		setup: { rateLimit: { perSecond: PER_SECOND, burst, retryAfterSeconds: 1 } },
		floor: (count - burst) / PER_SECOND,
		peers,
	};
}
