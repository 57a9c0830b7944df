/**
 * A time of the API, in milliseconds since 1970. One without a zone is UTC (docs/api/README.md, "Resources and their
 * fields"): the zone of this machine has nothing to do with the community's.
 *
 * @returns NaN for anything but a date
 */
export function toTime(value: unknown): number {
	const text = String(value ?? '').trim();
	const hasZone = /(?:[a-z]|[+-]\d\d(?::?\d\d)?)$/i.test(text);
	return Date.parse(hasZone ? text : `${text}Z`);
}
