import type { Failure } from '../../shared/transport/failure';
import { badValue } from './values';

/**
 * An identifier as the API shows it: a number, if a number can hold it exactly.
 *
 * @param id digits
 * @returns the digits as text if a number would be rounded
 */
export function toNumberIfExact(id: unknown): number | string {
	const number = Number(id);
	return Number.isSafeInteger(number) ? number : String(id);
}

/**
 * An identifier for a field that the API takes as a number only.
 *
 * @param id digits
 * @param label of the parameter
 * @throws Failure when a number would be rounded, and so would name another record
 */
export function toExactNumber(id: string, label: string): number {
	const number = Number(id);
	if (Number.isSafeInteger(number)) return number;
	const advice = `Give a number of at most ${Number.MAX_SAFE_INTEGER} in "${label}".`;
	throw badValue(label, 'is out of range', advice);
}

/**
 * The same identifier in one spelling, so that 5 and 05 are known to be one record.
 *
 * @param id digits, for a member with a dot and the code behind them
 */
export function withoutLeadingZeros(id: string): string {
	return id.replace(/^0+(?=\d)/, '');
}

/** Whether a value is a whole number so large that it may have been rounded. */
export function isRoundedInteger(value: unknown): boolean {
	return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** The failure for an identifier that came as a number and has lost digits on its way. */
export function mayBeRounded(label: string): Failure {
	return badValue(
		label,
		'is a number that may have been rounded',
		'Give it as text: a number with more than 15 digits, or with a point, does not keep all of them.',
	);
}
