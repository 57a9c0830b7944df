import type { DeclarativeRestApiSettings, IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../shared/request';
import type { Input } from '../input/readInput';

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * The request that an operation's routing describes: its method and path, identifiers filled in from
 * the parameters of the same name, and the checked values instead of the raw ones.
 *
 * @param options what n8n computed from the routing
 * @param input the checked parameters
 */
export function toRequest(
	options: DeclarativeRestApiSettings.HttpRequestOptions,
	input: Input,
): ApiRequest {
	const { method = 'GET', url = '' } = options;
	return {
		method,
		// An msid has a dot and may have more: it stays one segment of the path.
		path: url.replace(PLACEHOLDER, (_, name: string) =>
			encodeURIComponent(String(input.values[name])),
		),
		body: withoutRaw(options.body as IDataObject, input, input.body),
		qs: withoutRaw(options.qs, input, input.qs),
		labels: input.sendLabels,
		identifiers: input.identifiers,
	};
}

// What no parameter sends stays: the constants of the routing, such as the action of a PATCH.
function withoutRaw(
	routed: IDataObject | undefined,
	input: Input,
	checked: IDataObject,
): IDataObject {
	const constants = Object.entries(routed ?? {}).filter(([field]) => !(field in input.sendLabels));
	return { ...Object.fromEntries(constants), ...checked };
}
