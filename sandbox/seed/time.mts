import type { Community } from '../community.mts';

/** The length of the seeded history, which ends when the community starts: a year. */
export const HISTORY_MINUTES = 365 * 24 * 60;

/**
 * A timestamp this many minutes into that history. It has no fractional seconds, because the API returns both forms.
 */
export function minutesIn({ startedAt }: Community, minutes: number): string {
	const end = Math.floor(startedAt.getTime() / 60_000);
	const minute = end - HISTORY_MINUTES + Math.floor(minutes);
	return new Date(minute * 60_000).toISOString().replace('.000Z', 'Z');
}
