import type { DeclarativeRestApiSettings, IDataObject } from 'n8n-workflow';
import type { Failure } from '../../shared/failure';
import type { ApiRequest } from '../../shared/request';
import type { Input } from '../input/readInput';
import { badValue } from '../input/values';

const PLACEHOLDER = /\{(\w+)\}/g;

// What an absent value reads like once it is part of a path.
const NO_VALUE = ['', 'undefined', 'null', 'NaN'];

/** The request in an operation's routing, as the description has it or as n8n's routing engine computed it. */
export type RoutedRequest = DeclarativeRestApiSettings.HttpRequestOptions;

/**
 * The request that an operation's routing describes: its method and path, identifiers filled in from
 * the parameters of the same name, and the checked values instead of the raw ones.
 *
 * @param routed the request in the routing
 * @param input the checked parameters
 * @throws Failure when an identifier in the path has no value
 */
export function toRequest(routed: RoutedRequest, input: Input): ApiRequest {
	const { method = 'GET', url = '' } = routed;
	return {
		method,
		path: fillPath(url, input.values, (name) => {
			const label = input.labels[name] ?? name;
			return badValue(label, 'is empty', `Give a value in "${label}".`);
		}),
		body: withoutRaw(routed.body as IDataObject, input, input.body),
		qs: withoutRaw(routed.qs, input, input.qs),
		labels: input.sendLabels,
		identifiers: input.identifiers,
	};
}

/**
 * Fills in the identifiers of a path. One without a value would address something else: `/users/` is
 * the listing (design, engine fact 12).
 *
 * @param template e.g. `/api/v1/tags/{tagId}`
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

// What no parameter sends stays: the constants of the routing, such as the action of a PATCH. Raw values
// are there only where the routing engine has evaluated the parameters.
function withoutRaw(
	routed: IDataObject | undefined,
	input: Input,
	checked: IDataObject,
): IDataObject {
	const fields: IDataObject = {};
	for (const field in routed) if (!(field in input.sendLabels)) fields[field] = routed[field];
	return Object.assign(fields, checked);
}
