import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { IDataObject } from 'n8n-workflow';
import { serve, type TestServer } from './servers.mts';

// The used part of Prism's types, because its own depend on its libraries.
interface Prism {
	getHttpOperationsFromSpec(file: string): Promise<unknown[]>;
	createInstance(config: object, components: object): Instance;
}
interface Instance {
	/** Returns a fp-ts TaskEither. */
	request(input: object, operations: unknown[], config: object): () => Promise<Given>;
}
type Given =
	| { _tag: 'Left'; left: Error & { status?: number; detail?: string; additional?: unknown } }
	| { _tag: 'Right'; right: { output: Output; validations: Record<'input', unknown[]> } };
interface Output {
	statusCode: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** The number of seeds. Enough to check that everything still fits, and more of them every night. */
export const SEEDS = Number(process.env.PRISM_SEEDS ?? 2);

const DOCUMENT = fileURLToPath(new URL('../../docs/api/openapi.yaml', import.meta.url));
// The parameters that identify a record.
const RECORD = /^\/api\/v1\/(board|post|comment|replie|tag|user)s\/(\d[^/]*)$/;

/** A third-party server that is generated from the API's description only. */
export interface PrismServer extends Pick<TestServer, 'close'> {
	baseUrl: string;
	sourceSystem: string;
	apiKey: string;
	/** The seed of the next answers, which are the same for the same requests. */
	seed: number;
	/** The requests since this was last emptied. */
	taken: string[];
	/** The requests that do not match the description, with the reasons. */
	refused: string[];
}

/**
 * Starts Prism, which answers requests that match the API's description with values from a seed, and refuses others. A
 * server in front of it sets the requested ID in each answer, because Prism returns random IDs, and uses a separate
 * seed for each page of a list.
 */
export async function startPrism(): Promise<PrismServer> {
	const prism = createRequire(import.meta.url)('@stoplight/prism-http') as Prism;
	const operations = await prism.getHttpOperationsFromSpec(DOCUMENT);
	const config = {
		isProxy: false,
		checkSecurity: true,
		errors: true,
		validateRequest: true,
		validateResponse: true,
		mock: { dynamic: true },
	};
	const instance = prism.createInstance(config, { logger: SILENT });
	const server = await serve((request, response) => {
		void takeIn(request, response).catch((error: unknown) => {
			answering.refused.push(String(error));
			response.destroy();
		});
	});
	const takeIn = async (request: IncomingMessage, response: ServerResponse) => {
		const text = await textOf(request);
		answering.taken.push(`${request.method} ${request.url}`);
		const { input, page } = asInput(request, text);
		const mock = { ...config.mock, seed: `${answering.seed} page ${page}` };
		const result = await instance.request(input, operations, { ...config, mock })();
		const output = result._tag === 'Right' ? result.right.output : notAnswered(result.left);
		const wrong = result._tag === 'Right' ? result.right.validations.input : [result.left];
		if (wrong.length > 0 || output.statusCode >= 400) {
			answering.refused.push(`${request.method} ${request.url} ${text}: ${JSON.stringify(wrong)}`);
		}
		answer(response, { ...output, body: withIdentifier(input.url.path, output.body) });
	};
	const answering: PrismServer = {
		baseUrl: server.origin,
		sourceSystem: 'tests',
		apiKey: 'key',
		close: server.close,
		seed: 0,
		taken: [],
		refused: [],
	};
	return answering;
}

const SILENT = Object.fromEntries(
	['child', 'trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'].map((level) => [
		level,
		() => SILENT,
	]),
) as Record<string, unknown>;

async function textOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

function asInput({ method, url, headers }: IncomingMessage, text: string) {
	const { pathname, searchParams } = new URL(url ?? '/', 'http://127.0.0.1');
	return {
		page: searchParams.get('page') ?? '1',
		input: {
			method: String(method).toLowerCase(),
			url: { path: pathname, query: Object.fromEntries(searchParams) },
			headers,
			body: text === '' ? null : (JSON.parse(text) as unknown),
		},
	};
}

function notAnswered({ status = 500, message }: { status?: number; message: string }): Output {
	return { statusCode: status, body: { message } };
}

function withIdentifier(path: string, body: unknown): unknown {
	const [, kind, id] = RECORD.exec(decodeURIComponent(path)) ?? [];
	if (kind === undefined || typeof body !== 'object' || body === null) return body;
	if (kind !== 'user') {
		return { ...body, [`${kind === 'replie' ? 'reply' : kind}_id`]: Number(id) };
	}
	const [userId, sid] = id.split('.');
	const finalSid = sid ?? String((body as IDataObject).msid).split('.')[1];
	return { ...body, user_id: Number(userId), msid: `${userId}.${finalSid}`, sid: finalSid };
}

function answer(response: ServerResponse, { statusCode, headers, body }: Output): void {
	const type = body === undefined ? {} : { 'content-type': 'application/json' };
	response.writeHead(statusCode, { ...headers, ...type });
	response.end(body === undefined ? undefined : JSON.stringify(body));
}
