import fc from 'fast-check';
import { NO_FAULTS, type Faults, type Habits } from './api.mts';
import { GATEWAYS } from './gateways.mts';
import type { Happening, Setup } from './world.mts';

const share = fc.oneof(
	{ weight: 2, arbitrary: fc.constant(0) },
	{ weight: 1, arbitrary: fc.double({ min: 0, max: 0.3, noNaN: true }) },
);

const faults: fc.Arbitrary<Faults> = fc.oneof(
	{ weight: 2, arbitrary: fc.constant(NO_FAULTS) },
	{
		weight: 3,
		arbitrary: fc.record({
			lostBefore: share,
			lostAfter: share,
			errorBefore: share,
			errorAfter: share,
			silent: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.constant(0.02)),
			page: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constant(0.1)),
			lagMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constant(1_500)),
		}),
	},
);

const habits = fc.record<Habits>({
	retryAfter: fc.constantFrom('none', 'seconds', 'date'),
	taken: fc.constantFrom(409, 400, 422),
	unknownMember: fc.constantFrom(404, 400),
	isSilent: fc.boolean(),
	skewMs: fc.constantFrom(0, 200_000, -200_000),
	hasHeader: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
	latencyMs: fc.constantFrom(100, 300, 2_000),
});

/** The world in which a story happens. */
export const setup = fc.record<Setup>({
	seed: fc.nat(),
	workers: fc.constantFrom(1, 1, 2, 3, 4),
	members: fc.oneof(
		{ weight: 6, arbitrary: fc.integer({ min: 2, max: 12 }) },
		{ weight: 1, arbitrary: fc.constant(60) },
	),
	gateway: fc.constantFrom('none', 'none', 'none', ...GATEWAYS),
	gatewaySize: fc.double({ min: 0, max: 1, noNaN: true }),
	faults,
	habits,
});

export const happening = fc.record<Happening>({
	at: fc.nat(8_000),
	kind: fc.constantFrom(
		'join',
		'leave',
		'role',
		'role',
		'rename',
		'readdress',
		'replace',
		'status',
		'unread',
	),
	who: fc.nat(30),
	value: fc.nat(1_000),
});
