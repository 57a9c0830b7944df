import { toTime } from '../../nodes/shared/text.ts';

const read = (time: string, timezone?: string) => {
	const ms = toTime(time, timezone);
	return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 16);
};

// Clocks are put forward on 2026-03-29 at 01:00 UTC, and back on 2026-10-25 at 01:00 UTC.
it.each<[string, string | undefined, string | undefined]>([
	['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59'],
	// The clocks skip this time.
	['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30'],
	['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00'],
	['2026-10-25T01:59', 'Europe/Berlin', '2026-10-24T23:59'],
	// The clocks show this time twice.
	['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30'],
	['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00'],
	// This day has no midnight.
	['2026-09-06', 'America/Santiago', '2026-09-06T04:00'],
	['2026-01-31', 'Pacific/Kiritimati', '2026-01-30T10:00'],
	['2026-01-31 12:00', 'America/St_Johns', '2026-01-31T15:30'],
	['2026-01-31T12:00', 'UTC', '2026-01-31T12:00'],
	['2026-01-31T12:00Z', 'Europe/Berlin', '2026-01-31T12:00'],
	['2026-01-31 12:00 UTC', 'Europe/Berlin', '2026-01-31T12:00'],
	['2026-01-31T12:00+05:30', 'Europe/Berlin', '2026-01-31T06:30'],
	['2026-01-31T12:00', undefined, '2026-01-31T12:00'],
	['2026-01-31T25:00', 'Europe/Berlin', undefined],
	['2026-02-31', 'Europe/Berlin', undefined],
])('%s in %s is %s in UTC', (time, timezone, expected) => {
	expect(read(time, timezone)).toBe(expected);
});
