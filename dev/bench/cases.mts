import type { Case } from './measure.mts';
import { httpRequest, node, routing, toolCalls } from './peers.mts';
import { plain } from './plain.mts';

const NODE = 'Community Platform';
const HTTP = 'HTTP Request';
const ROUTING = 'n8n routing alone';
const BATCHED = 'HTTP Request, batched by hand';
const REPEATED = 'HTTP Request, batched, Retry On Fail';
const SEQUENTIAL = 'axios, one after another';
const PARALLEL = 'axios, 20 at once';
const RETRYING = 'axios and axios-retry, 20 at once';

const PER_SECOND = 100;
const TOOL_CALLS = 300;
// What n8n sets when "Retry On Fail" is turned on.
const MAX_TRIES = 3;

// What a user has to know about the API before the run.
const BEFOREHAND = {
	[NODE]: 'nothing',
	[HTTP]: 'nothing',
	[BATCHED]:
		'how many requests a second the API takes, how many at once, and that no other caller sends any',
	[REPEATED]: 'the same, and that all items may be sent again',
	[RETRYING]: 'that the API refuses with 429 and Retry-After, and which requests may be repeated',
};

/** Cases on a community with 1,800 active members. */
export const readings: Case[] = [
	...[0, 20, 100].map((delayMs) => ({
		name: `List 1,800 members, ${delayMs} ms per page`,
		setup: { delayMs },
		peers: {
			[NODE]: node.list(),
			[HTTP]: httpRequest.list(),
			[SEQUENTIAL]: plain.list(1),
			[PARALLEL]: plain.list(),
		},
	})),
	{
		name: 'List 1,800 members for the first time, 20 ms per page',
		setup: { delayMs: 20 },
		// Enough for V8 to have compiled what a long-running n8n has compiled.
		rounds: 20,
		peers: { [NODE]: node.listFirst(), [HTTP]: httpRequest.list() },
	},
	{
		name: `${TOOL_CALLS} tool calls, one after another`,
		calls: TOOL_CALLS,
		peers: {
			'through customOperations': toolCalls(TOOL_CALLS, false),
			"through n8n's routing engine": toolCalls(TOOL_CALLS, true),
		},
	},
];

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
	...[20, 100].map((delayMs) => ({
		name: `Update 500 roles, ${delayMs} ms per answer`,
		method: 'PATCH' as const,
		setup: { delayMs },
		peers: {
			[NODE]: node.updateRoles(500),
			[HTTP]: httpRequest.updateRoles(500),
			[PARALLEL]: plain.updateRoles(500),
		},
	})),
	limited(500, 10, byHand(500, 10)),
	// The other peers take up to three times as long as the limit itself, and 500 updates tell as much.
	limited(5_000, 10, { [BATCHED]: httpRequest.updateRoles(5_000, batchOf(10)) }),
	limited(500, 100, byHand(500, 100)),
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

/** Cases on a server that answers at once, in the process of the engine: what a request costs the client alone. */
export const bare: Case[] = [500, 5_000].map((count) => ({
	name: `Bare HTTP server, ${count.toLocaleString('en')} updates`,
	// Enough for V8 to have compiled what a long-running n8n has compiled.
	rounds: 10,
	peers: {
		[NODE]: node.updateRoles(count),
		[HTTP]: httpRequest.updateRoles(count),
		[PARALLEL]: plain.updateRoles(count),
	},
}));

function limited(count: number, burst: number, others: Case['peers']): Case {
	return {
		name: `Update ${count.toLocaleString('en')} roles, at most ${PER_SECOND} a second and ${burst} at once`,
		method: 'PATCH',
		setup: { rateLimit: { perSecond: PER_SECOND, burst, retryAfterSeconds: 1 } },
		floor: (count - burst) / PER_SECOND,
		peers: { [NODE]: node.updateRoles(count), [HTTP]: httpRequest.updateRoles(count), ...others },
		beforehand: BEFOREHAND,
	};
}

// For comparison: clients that know the limit.
function byHand(count: number, burst: number): Case['peers'] {
	return {
		[BATCHED]: httpRequest.updateRoles(count, batchOf(burst)),
		[REPEATED]: httpRequest.updateRoles(count, batchOf(burst), MAX_TRIES),
		[RETRYING]: plain.updateRolesRetrying(count),
	};
}

function batchOf(burst: number) {
	return { batchSize: burst, batchInterval: (burst * 1000) / PER_SECOND };
}
