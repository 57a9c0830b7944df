/**
 * A time of the API, in milliseconds. One without a zone is UTC (docs/api/README.md, "Resources and their fields").
 *
 * @returns NaN for anything but ISO 8601 with a date
 */
export function toTime(value: unknown): number {
	const text = String(value ?? '').trim();
	if (!/^\d{4}-\d\d-\d\d/.test(text)) return NaN;
	const hasZone = !/[T ]\d/.test(text) || /(z|[+-]\d\d:?\d\d)$/i.test(text);
	return Date.parse(hasZone ? text : `${text}Z`);
}
