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
	requestBody?: object;
	responses: Record<string, object>;
}
interface Parameter {
	$ref?: string;
	name: string;
	in: 'path' | 'query' | 'header';
	required?: boolean;
	schema: Schema;
}

/** What a request consists of once the address is taken apart. */
export interface RequestParts {
	path: unknown;
	query: unknown;
	header: unknown;
	body: unknown;
}

/** One documented operation and the check that its documentation amounts to. */
export interface Operation {
	id: string;
	method: Uppercase<Method>;
	/** As written in the document, e.g. `/api/v1/boards/{board_id}`. */
	path: string;
	hasBody: boolean;
	/**
	 * Returns what is wrong with a request, one text per finding, each naming the field; nothing when
	 * the request is right. Fills in documented defaults and turns path and query text into numbers,
	 * in place.
	 */
	check(request: RequestParts): string[];
}

/** The HTTP methods that are answered; which of them the API has for a path, its description says. */
export const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;
const DOCUMENT = 'openapi.yaml';

/** The API's description, read from docs/api/openapi.yaml. */
export const openApi = parse(
	readFileSync(new URL('../docs/api/openapi.yaml', import.meta.url), 'utf8'),
) as OpenApiDocument;

/**
 * Makes an Ajv that knows the document under the name `openapi.yaml`. Path and query values arrive as
 * text and are turned into what the document says; bodies are taken as they are.
 */
function makeAjv(coerceTypes: boolean): Ajv2020 {
	const ajv = new Ajv2020({
		allErrors: true,
		coerceTypes,
		// The document as a whole is no JSON schema; the schemas inside it are compiled by reference.
		strict: false,
		useDefaults: true,
	});
	addFormats.default(ajv);
	return ajv.addSchema(openApi, DOCUMENT, undefined, false);
}

const bodyAjv = makeAjv(false);
const textAjv = makeAjv(true);

/**
 * Compiles the check of one place in the document.
 * @param pointer JSON pointer, e.g. `/components/schemas/Board`
 */
export function compileAt(pointer: string): ValidateFunction {
	return bodyAjv.compile({ $ref: `${DOCUMENT}#${pointer}` });
}

/** Escapes a key for use in a JSON pointer inside a `$ref` (RFC 6901, sections 3 and 6). */
export function pointerKey(key: string): string {
	return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

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

/** Every documented operation, by operationId. */
export const operations: ReadonlyMap<string, Operation> = new Map(
	Object.entries(openApi.paths).flatMap(([path, item]) =>
		METHODS.filter((method) => item[method]).map((method) => {
			const operation = makeOperation(path, method, item);
			return [operation.id, operation] as const;
		}),
	),
);

function makeOperation(path: string, method: Method, item: PathItem): Operation {
	const { operationId, parameters, requestBody } = item[method] as OperationObject;
	const all = [...(item.parameters ?? []), ...(parameters ?? [])].map((parameter) =>
		resolve(parameter),
	);
	const compileChecks = (): Array<[keyof RequestParts, ValidateFunction]> => {
		const checks: Array<[keyof RequestParts, ValidateFunction]> = [
			['path', textAjv.compile(parametersSchema(all, 'path'))],
			['query', textAjv.compile(parametersSchema(all, 'query'))],
			['header', textAjv.compile(parametersSchema(all, 'header'))],
		];
		if (requestBody) {
			const place = `/paths/${pointerKey(path)}/${method}/requestBody/content/${pointerKey('application/json')}/schema`;
			checks.push(['body', compileAt(place)]);
		}
		return checks;
	};
	// Only once it is needed: most runs use few of the operations.
	let compiled: ReturnType<typeof compileChecks> | undefined;
	return {
		id: operationId,
		method: method.toUpperCase() as Uppercase<Method>,
		path,
		hasBody: requestBody !== undefined,
		check: (request) =>
			(compiled ??= compileChecks()).flatMap(([part, validate]) =>
				validate(request[part]) ? [] : describe(part, validate.errors ?? []),
			),
	};
}

/** One object schema for all parameters of one place; unknown query parameters are refused. */
function parametersSchema(parameters: Parameter[], place: Parameter['in']): Schema {
	const here = parameters.filter((parameter) => parameter.in === place);
	const name = (parameter: Parameter) =>
		place === 'header' ? parameter.name.toLowerCase() : parameter.name;
	const absolute = (schema: Schema): Schema =>
		typeof schema.$ref === 'string' ? { ...schema, $ref: `${DOCUMENT}${schema.$ref}` } : schema;
	return {
		type: 'object',
		properties: Object.fromEntries(here.map((each) => [name(each), absolute(each.schema)])),
		required: here.filter((each) => each.required).map(name),
		additionalProperties: place === 'header',
	};
}

/** Turns Ajv's findings into short texts that name the field. */
function describe(part: keyof RequestParts, findings: ErrorObject[]): string[] {
	const texts = findings
		.filter(isWorthTelling)
		.map(({ instancePath, keyword, params, message }) => {
			const field = [part, ...instancePath.slice(1).split('/').filter(Boolean)].join('.');
			if (keyword === 'additionalProperties')
				return `${field}.${params.additionalProperty} is unknown`;
			if (keyword === 'required') return `${field}.${params.missingProperty} is required`;
			if (keyword === 'enum') return `${field} must be one of ${params.allowedValues.join(', ')}`;
			if (keyword === 'propertyNames') return `${field}.${params.propertyName} is not a valid key`;
			if (keyword === 'oneOf') return `${field} has none of the documented forms`;
			return `${field} ${message}`;
		});
	return [...new Set(texts)];
}

/** Ajv reports a choice, its branches and each rule broken; one text per value is enough. */
function isWorthTelling(finding: ErrorObject, _index: number, all: ErrorObject[]): boolean {
	const aboutFields = ['additionalProperties', 'required', 'propertyNames'];
	if (aboutFields.includes(finding.keyword)) return true;
	if (finding.propertyName !== undefined) return false;
	const same = all.filter(
		({ instancePath, keyword }) =>
			instancePath === finding.instancePath && !aboutFields.includes(keyword),
	);
	return finding === (same.find(({ keyword }) => keyword === 'oneOf') ?? same[0]);
}
