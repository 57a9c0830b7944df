import type { Failure } from '../../shared/failures/failure';
import type { ApiRequest } from '../../shared/exchange/request';
import type { Input } from '../operation/readInput';
import { badValue } from '../operation/values';
import type { Operation } from '../operation/operation';

const PLACEHOLDER = /\{(\w+)\}/g;

// What an absent value reads like once it is part of a path.
const NO_VALUE = ['', 'undefined', 'null', 'NaN'];

/**
 * The request of an operation, with what the user gave.
 *
 * @param operation says its method and path, and what every request sends
 * @param input the checked parameters
 * @throws Failure when an identifier in the path has no value
 */
export function toRequest({ request, adviceIfTaken }: Operation, input: Input): ApiRequest {
	const path = fillPath(request.url, input.values, (name) => {
		const label = input.labels[name] ?? name;
		return badValue(label, 'is empty', `Give a value in "${label}".`);
	});
	return {
		method: request.method,
		path,
		body: request.body ? Object.assign({}, request.body, input.body) : input.body,
		qs: input.qs,
		expects: 'record',
		labels: input.sendLabels,
		identifiers: input.identifiers,
		adviceIfTaken,
	};
}

/**
 * Fills in the identifiers of a path. One without a value would address something else: `/users/` is
 * the listing (design, engine fact 12).
 *
 * @param template e.g. `/tags/{tagId}`
 * @param values the identifiers by the names of their placeholders
 * @param refusal what the user is told when the named one has no value
 * @throws Failure as `refusal` gives it
 */
export function fillPath(
	template: string,
	values: Record<string, unknown>,
	refusal: (name: string) => Failure,
): string {
	return template.replace(PLACEHOLDER, (_, name: string) => {
		const segment = String(values[name]).trim();
		if (NO_VALUE.includes(segment)) throw refusal(name);
		// An msid has a dot and may have more: it stays one segment of the path.
		return encodeURIComponent(segment);
	});
}
