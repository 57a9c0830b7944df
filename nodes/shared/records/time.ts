/**
 * A time of the API in milliseconds since 1970, NaN for anything but a date. Without a zone it is UTC
 * (docs/api/README.md, "Resources and their fields"): this machine's zone has nothing to do with the community's.
 */
export function toTime(value: unknown): number {
	const text = String(value ?? '').trim();
	const hasZone = /(?:[a-z]|[+-]\d\d(?::?\d\d)?)$/i.test(text);
	return Date.parse(hasZone ? text : `${text}Z`);
}
