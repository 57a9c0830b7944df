import axios, { type AxiosResponse } from 'axios';
import { fastify, type RouteHandlerMethod } from 'fastify';
import {
	compileAt,
	operations,
	pointerKey,
	openApi,
	resolve,
	type Schema,
} from '../../sandbox/openapi.mts';
import type { Sandbox } from '../../sandbox/server.mts';

const { Error: documentedError } = openApi.components.responses as Record<string, Schema>;
const ERROR_STATUSES = documentedError['x-statuses'] as number[];

export interface CallOptions {
	query?: Record<string, unknown>;
	body?: unknown;
	/** Beside Authorization and User-Agent; null leaves one of those out. */
	headers?: Record<string, string | null>;
}

/** What a board has to have. */
export const BOARD = {
	board_name: 'Gardening',
	is_private: false,
	hidden_type: 0,
	permission_for: 10,
	needs_approval: false,
};

/** Sends one request with the sandbox's key, and returns the answer whatever its status. */
export function call(
	sandbox: Sandbox,
	method: string,
	path: string,
	{ query, body, headers = {} }: CallOptions = {},
): Promise<AxiosResponse> {
	const credentials = Buffer.from(`tests:${sandbox.apiKey}`).toString('base64');
	const all: Record<string, string | null> = {
		authorization: `Basic ${credentials}`,
		'user-agent': 'tests',
		...headers,
	};
	return axios.request({
		method,
		url: `${sandbox.baseUrl}${path}`,
		params: query,
		// Text is sent as it is; axios would make JSON of it.
		data: typeof body === 'string' ? Buffer.from(body) : body,
		// false is how axios is told to leave out a header that it would set by itself.
		headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value ?? false])),
		proxy: false,
		validateStatus: () => true,
	});
}

/**
 * What is wrong with an answer according to docs/api/openapi.yaml, one text per finding: schema, fields that
 * are not documented, nulls, and has_more where it belongs.
 */
export function undocumented(operationId: string, answer: AxiosResponse): string[] {
	const operation = operations.get(operationId);
	if (!operation) return [`${operationId} is not documented`];
	const { path, method } = operation;
	const item = openApi.paths[path][method.toLowerCase() as 'get'];
	const responses: Record<string, object> = item?.responses ?? {};
	const key = ERROR_STATUSES.includes(answer.status) ? 'default' : answer.status;
	const described = responses[key];
	if (!described) return [`${operationId} does not answer ${answer.status}`];
	const { $ref } = described as { $ref?: string };
	const place = $ref
		? $ref.slice(1)
		: `/paths/${pointerKey(path)}/${method.toLowerCase()}/responses/${key}`;
	const { content, headers } = resolve(described) as { content?: object; headers?: object };
	const findings: string[] = [];
	if (headers && 'has_more' in headers !== 'has_more' in answer.headers) {
		findings.push('has_more is not where it is documented');
	}
	if (content) {
		const pointer = `${place}/content/${pointerKey('application/json')}/schema`;
		const validate = compileAt(pointer);
		if (!validate(answer.data)) findings.push(JSON.stringify(validate.errors));
		findings.push(...unknownFields(schemaAt(pointer), answer.data));
	}
	return findings;
}

interface ObjectSchema {
	properties?: Record<string, object>;
	items?: object;
}

function schemaAt(pointer: string): object {
	const keys = pointer
		.slice(1)
		.split('/')
		.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
	return keys.reduce<object>((node, key) => (node as Record<string, object>)[key], openApi);
}

/** Fields that the schema does not name, and nulls, which the API leaves out. */
function unknownFields(schema: object, value: unknown, at = ''): string[] {
	const { properties, items } = resolve(schema) as ObjectSchema;
	if (value === null) return [`${at} is null`];
	if (Array.isArray(value) && items) {
		return value.flatMap((each, index) => unknownFields(items, each, `${at}[${index}]`));
	}
	if (typeof value !== 'object' || !properties) return [];
	return Object.entries(value).flatMap(([key, each]) =>
		key in properties
			? unknownFields(properties[key], each, `${at}.${key}`)
			: [`${at}.${key} is not documented`],
	);
}

export interface Received {
	headers: Record<string, string | string[] | undefined>;
	query: unknown;
	body: unknown;
}

/**
 * Something that receives events at `/hook` and below, on a free port; `status` is what it answers, with
 * `answer` or how many it has received.
 */
export async function startReceiver(status = 200, answer?: object) {
	const received: Received[] = [];
	const app = fastify();
	const receive: RouteHandlerMethod = ({ headers, query, body }, reply) => {
		received.push({ headers, query, body });
		return reply.code(status).send(answer ?? { received: received.length });
	};
	app.post('/hook', receive);
	app.post('/hook/*', receive);
	const address = await app.listen({ host: '127.0.0.1', port: 0 });
	// A test that fails halfway must not keep the test run from ending.
	app.server.unref();
	return { url: `${address}/hook`, received, close: () => app.close() };
}
