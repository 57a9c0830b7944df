import { toTime } from '../../nodes/shared/text.ts';

it.each<[unknown, string | undefined]>([
	['2026-01-31T12:00:00Z', '2026-01-31T12:00'],
	['2026-01-31T12:00:00.123Z', '2026-01-31T12:00'],
	['2026-01-31T12:00:00', '2026-01-31T12:00'],
	['2026-01-31 12:00:00', '2026-01-31T12:00'],
	['2026-01-31T12:00:00+05:30', '2026-01-31T06:30'],
	['2026-01-31', '2026-01-31T00:00'],
	['2026-01-31T25:00', undefined],
	['soon', undefined],
	...[undefined, null, '', {}].map((value): [unknown, undefined] => [value, undefined]),
])('the time %j of the API is %s in UTC', (value, expected) => {
	const ms = toTime(value);
	expect(Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 16)).toBe(expected);
});
