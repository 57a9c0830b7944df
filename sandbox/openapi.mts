import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** The parts of an OpenAPI 3.1 document that the sandbox and the tests read. */
export interface OpenApiDocument {
	openapi: string;
	paths: Record<string, PathItem>;
	webhooks: Record<string, PathItem>;
	components: { schemas: Record<string, Schema> } & Record<string, Record<string, unknown>>;
}
export type Schema = { [keyword: string]: unknown };
type Method = (typeof METHODS)[number];
type PathItem = { parameters?: Parameter[] } & { [method in Method]?: OperationObject };
interface OperationObject {
	operationId: string;
	'x-also'?: string[];
	parameters?: Parameter[];
	requestBody?: { content: Content };
	responses: Record<string, ResponseObject>;
}
interface ResponseObject {
	headers?: object;
	content?: Content;
}
type Content = Record<'application/json', { schema: Schema }>;
interface Parameter {
	name: string;
	in: 'path' | 'query' | 'header';
	required?: boolean;
	schema: Schema;
}

/** A documented operation, with all references resolved. */
export interface Operation {
	id: string;
	method: Uppercase<Method>;
	/** As written in the document, e.g. `/api/v1/boards/{board_id}`. */
	path: string;
	/** The schemas of a request's parts, under Fastify's names. */
	request: { params: Schema; querystring: Schema; body?: Schema };
	responses: Record<string, ResponseObject>;
}

/** The HTTP methods that the sandbox answers, if the API's description has them for the path. */
export const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** The API's description, read from docs/api/openapi.yaml. */
export const openApi = parse(
	readFileSync(new URL('../docs/api/openapi.yaml', import.meta.url), 'utf8'),
) as OpenApiDocument;

/** Follows `$ref` within the document, once per level. */
export function resolve<T extends object>(value: T): T {
	const reference = (value as { $ref?: string }).$ref;
	if (reference === undefined) return value;
	const keys = reference.slice(2).split('/');
	const target = keys.reduce<unknown>(
		(node, key) => (node as Record<string, unknown>)[key],
		openApi,
	);
	return resolve(target as T);
}

/** Follows every `$ref`, at any level, and keeps the fields next to it. */
function dereferenced<T>(value: T): T {
	if (Array.isArray(value)) return value.map(dereferenced) as T;
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries({ ...resolve(value), ...value })
		.filter(([key]) => key !== '$ref')
		.map(([key, each]) => [key, dereferenced(each)]);
	return Object.fromEntries(entries) as T;
}

/** Every documented operation, by operationId. */
export const operations: ReadonlyMap<string, Operation> = new Map(
	Object.entries(dereferenced(openApi.paths)).flatMap(([path, item]) =>
		METHODS.flatMap((method) => {
			const described = item[method];
			if (!described) return [];
			const { operationId: id, parameters = [], requestBody, responses } = described;
			const all = [...(item.parameters ?? []), ...parameters];
			const operation: Operation = {
				id,
				method: method.toUpperCase() as Uppercase<Method>,
				path,
				responses,
				request: {
					params: parametersSchema(all, 'path'),
					querystring: parametersSchema(all, 'query'),
					...(requestBody && { body: requestBody.content['application/json'].schema }),
				},
			};
			return [[id, operation]];
		}),
	),
);

/** One object schema for all parameters of a request part. Unknown parameters are refused. */
function parametersSchema(parameters: Parameter[], place: Parameter['in']): Schema {
	const here = parameters.filter((parameter) => parameter.in === place);
	return {
		type: 'object',
		properties: Object.fromEntries(here.map(({ name, schema }) => [name, schema])),
		required: here.filter(({ required }) => required).map(({ name }) => name),
		additionalProperties: false,
	};
}

const ajvFor = (options: object) =>
	addFormats.default(new Ajv2020({ strict: false, ...options })) as unknown as Ajv2020;
const bodies = ajvFor({ useDefaults: true });
// Path and query arrive as text, so Ajv converts them to the documented types.
const texts = ajvFor({ useDefaults: true, coerceTypes: true });
const answers = ajvFor({ allErrors: true });

/**
 * Checks a part of a request, and fills in the documented defaults.
 *
 * @returns the first finding, with the field's name; undefined if there is none
 */
export function wrongIn(part: string, schema: Schema, data: unknown): string | undefined {
	const validate = (part === 'body' ? bodies : texts).compile(schema);
	return validate(data) ? undefined : findingOf(validate.errors![0], part);
}

/** Compiles the check of one of the schemas under components/schemas, e.g. `Board`. */
export function schemaCheck(name: string): ValidateFunction {
	return answers.compile(dereferenced(openApi.components.schemas[name]));
}

/** An answer of the API, its body parsed. */
export interface ApiAnswer {
	status: number;
	headers: object;
	data: unknown;
}

const strictResponses = new Map<string, Schema>();

/**
 * Finds the parts of an answer that are not as documented: other types, nulls, missing fields and undocumented fields.
 *
 * @returns one text per finding, e.g. `[].user_status must be integer`; without the values
 */
export function undocumented(operationId: string, { status, headers, data }: ApiAnswer): string[] {
	const { responses } = operations.get(operationId)!;
	const { 'x-statuses': errors } = openApi.components.responses.Error as { 'x-statuses': number[] };
	const described = responses[errors.includes(status) ? 'default' : status];
	if (!described) return [`the status ${status} is not documented`];
	const findings: string[] = [];
	if (described.headers && 'has_more' in described.headers && !('has_more' in headers)) {
		findings.push('the header has_more is missing');
	}
	if (!described.content) return findings;
	const key = `${operationId} ${status}`;
	const schema = strictResponses.get(key) ?? strict(described.content['application/json'].schema);
	strictResponses.set(key, schema);
	const validate = answers.compile(schema);
	if (!validate(data)) findings.push(...validate.errors!.map((each) => findingOf(each)));
	return [...new Set(findings)];
}

/** Refuses undocumented fields. The schemas of requests do this themselves, those of answers do not. */
function strict<T>(value: T): T {
	if (Array.isArray(value)) return value.map(strict) as T;
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([key, each]) => [key, strict(each)]);
	const isObject = 'type' in value && value.type === 'object' && 'properties' in value;
	return { ...(isObject && { additionalProperties: false }), ...Object.fromEntries(entries) } as T;
}

function findingOf(error: ErrorObject, part?: string): string {
	const { instancePath, keyword, params, propertyName } = error;
	const { additionalProperty, missingProperty } = params as Record<string, string | undefined>;
	const last = additionalProperty ?? missingProperty ?? propertyName;
	const keys = [...instancePath.split('/').slice(1), ...(last === undefined ? [] : [last])];
	const path = [part, ...keys.map((key) => (/^\d+$/.test(key) && !part ? '[]' : key))];
	const field = path
		.filter((key) => key !== undefined)
		.join('.')
		.replaceAll('.[]', '[]');
	const message = additionalProperty === undefined ? error.message : 'is not documented';
	return `${field || 'the body'} ${keyword === 'required' ? 'is missing' : message}`;
}
