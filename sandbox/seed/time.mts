/** The moment the seeded part of the community's history begins, in ms since 1970. */
const EPOCH = Date.UTC(2024, 0, 8, 9);

/**
 * A timestamp this many minutes into that history. It has no fractional seconds, because the API returns both forms.
 */
export function minutesIn(minutes: number): string {
	return new Date(EPOCH + Math.floor(minutes) * 60_000).toISOString().replace('.000Z', 'Z');
}

/** The length of that history: a year. */
export const HISTORY_MINUTES = 365 * 24 * 60;
