import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DEV_PREFIX } from './dev.mts';
import type { Sandbox } from './server.mts';
import { viewOf } from './view.mts';

/** The path of the page's files. It is below the development endpoints, so requests to it are not recorded. */
const PREFIX = `${DEV_PREFIX}/page`;
/** The files of the page, by the name under which it loads each. */
const FILES = new Map([['icon.svg', '../icons/community-platform.svg']]);
for (const name of ['index.html', 'style.css', 'main.mjs', 'ask.mjs', 'forms.mjs', 'show.mjs'])
	FILES.set(name, `page/${name}`);
const TYPES: Record<string, string> = {
	html: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	mjs: 'text/javascript; charset=utf-8',
	svg: 'image/svg+xml',
};
const HEADERS = {
	// Names and posts can contain any text, so only the page's own scripts and styles run.
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cross-origin-resource-policy': 'same-origin',
	'cache-control': 'no-store',
};

/**
 * Rewrites a browser's request for the community's address, or for a post's, to the page. Any other client gets a 404, as for a path that
 * the API does not have.
 *
 * @returns the URL to serve instead of the requested one
 */
export function rewriteUrl({ method, url = '', headers }: IncomingMessage): string {
	const isBrowser = method === 'GET' && headers.accept?.includes('text/html');
	return isBrowser && /^\/(?:posts\/\d+)?(?:\?|$)/.test(url) ? `${PREFIX}/index.html` : url;
}

/** Serves the community's page and its data. */
export function servePage(app: FastifyInstance, sandbox: Sandbox): void {
	app.get<{ Params: { name: string } }>(`${PREFIX}/:name`, ({ params: { name } }, reply) => {
		const path = FILES.get(name);
		return path ? sendFile(reply, path) : reply.callNotFound();
	});
	app.get<{ Querystring: { find?: string } }>(`${DEV_PREFIX}/view`, ({ query }) =>
		viewOf(sandbox, query.find),
	);
}

async function sendFile(reply: FastifyReply, path: string): Promise<FastifyReply> {
	const content = await readFile(new URL(path, import.meta.url));
	const ending = path.slice(path.lastIndexOf('.') + 1);
	return reply.headers(HEADERS).type(TYPES[ending]).send(content);
}
