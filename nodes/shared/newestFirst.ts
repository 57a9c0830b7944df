/**
 * Whether the join times of a listing disprove that it is in the order that was asked for, the newest first. A member who
 * was approved is listed where the API wants; a listing in another order rises about as often as it falls
 * (docs/decisions.md, A25).
 */
export function isInAnotherOrder(times: number[]): boolean {
	const rises = times.filter((time, index) => time > times[index - 1]).length;
	const falls = times.filter((time, index) => time < times[index - 1]).length;
	return rises > 1 && rises * 2 > falls;
}
