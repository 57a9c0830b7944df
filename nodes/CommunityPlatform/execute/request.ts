import type { Failure, Expected, ApiRequest } from '../../shared/transport';
import { trimmed } from '../../shared/text';
import type { Input, Operation } from '../actions/operation';
import { badValue } from '../input/values';

/** Prepares the requests of an operation; the function throws a Failure when an identifier in the path has no value. */
export function requestMaker(operation: Operation): (input: Input) => ApiRequest {
	const { request, adviceIfTaken } = operation;
	return ({ values, labels, body, qs, sendLabels, identifiers }) => {
		const path = filledPath(request.url, values, (name) => {
			const label = labels[name] ?? name;
			return badValue(label, 'is empty', `Give a value in '${label}'.`);
		});
		// Assigning is many times faster in V8 than spreading into a literal, and a batch has thousands of requests.
		return {
			method: request.method,
			path,
			body: request.body ? Object.assign({}, request.body, body) : body,
			qs,
			expects: expectedOf(operation, path),
			labels: sendLabels,
			identifiers,
			adviceIfTaken,
		};
	};
}

// A path that ends with a placeholder identifies the record in the answer.
function expectedOf({ request, strategy, record }: Operation, path: string): Expected {
	if (!record) return 'acknowledgement';
	if (strategy === 'listing') return { list: record };
	const id = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
	return request.url.endsWith('}') ? { record, id } : { record };
}

/**
 * Fills in the identifiers of a path, e.g. `/tags/{tagId}`. Throws `refusal` for an empty one, which would make it
 * another endpoint: `/users/` is the listing (docs/decisions.md, E12).
 */
export function filledPath(
	template: string,
	values: Record<string, unknown>,
	refusal: (name: string) => Failure,
): string {
	return template.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
		const segment = trimmed(values[name]);
		if (['', 'undefined', 'null', 'NaN'].includes(segment)) throw refusal(name);
		// An msid has a dot and may have more: it stays one segment of the path.
		return encodeURIComponent(segment);
	});
}
