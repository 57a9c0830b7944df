import type { Failure } from '../../shared/transport/failure';
import type { Expected, ApiRequest } from '../../shared/transport/request';
import type { Input } from '../input/input';
import { badValue } from '../input/values';
import type { Operation } from '../actions/operation';
import { repeatOfOperation } from '../actions/operation';

// An absent value as text.
const NO_VALUE = ['', 'undefined', 'null', 'NaN'];

type PathFiller = (values: Record<string, unknown>, refusal: (name: string) => Failure) => string;

/**
 * Prepares the requests of an operation.
 *
 * @returns a function that makes the request from the checked parameters of one item; it throws a Failure when an
 * identifier in the path has no value
 */
export function requestMaker(operation: Operation): (input: Input) => ApiRequest {
	const { request, adviceIfTaken } = operation;
	const repeat = repeatOfOperation(operation);
	const fillPath = pathFiller(request.url);
	return (input) => {
		const path = fillPath(input.values, (name) => {
			const label = input.labels[name] ?? name;
			return badValue(label, 'is empty', `Give a value in "${label}".`);
		});
		return {
			method: request.method,
			repeat,
			path,
			body: request.body ? Object.assign({}, request.body, input.body) : input.body,
			qs: request.qs ? Object.assign({}, request.qs, input.qs) : input.qs,
			expects: expectedOf(operation, path),
			labels: input.sendLabels,
			identifiers: input.identifiers,
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
 * Prepares to fill in the identifiers of a path. A path with an empty one is another endpoint: `/users/` is the listing
 * (docs/decisions.md, E12).
 *
 * @param template e.g. `/tags/{tagId}`
 * @returns a function of the identifiers by their placeholders, and of the failure to throw when one has no value
 */
export function pathFiller(template: string): PathFiller {
	// Text and names of placeholders alternate.
	const parts = template.split(/\{(\w+)\}/);
	return (values, refusal) => {
		let path = parts[0];
		for (let at = 1; at < parts.length; at += 2) {
			const segment = String(values[parts[at]]).trim();
			if (NO_VALUE.includes(segment)) throw refusal(parts[at]);
			// An msid has a dot and may have more: it stays one segment of the path.
			path += encodeURIComponent(segment) + parts[at + 1];
		}
		return path;
	};
}
