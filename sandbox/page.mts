import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DEV_PREFIX } from './dev.mts';
import type { Sandbox } from './server.mts';
import { viewOf } from './view.mts';

/** Where everything lies that the page loads; below the development endpoints' path, so not recorded. */
const PREFIX = `${DEV_PREFIX}/page`;
/** The files that are served, by the name under which each is loaded. */
const FILES: Record<string, string> = {
	'index.html': 'page/index.html',
	'style.css': 'page/style.css',
	'icon.svg': '../icons/community-platform.svg',
	'main.mjs': 'page/main.mjs',
	'ask.mjs': 'page/ask.mjs',
	'forms.mjs': 'page/forms.mjs',
	'show.mjs': 'page/show.mjs',
};
const TYPES: Record<string, string> = {
	html: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	mjs: 'text/javascript; charset=utf-8',
	svg: 'image/svg+xml',
};
const HEADERS = {
	// Members and their posts can be called anything: no script and no style but the page's own runs.
	'content-security-policy': [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self'",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; '),
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cross-origin-resource-policy': 'same-origin',
	'cache-control': 'no-store',
};

/**
 * Rewrites a browser's request of the community's own address to the page. Any other client gets the 404 of a path
 * that the API does not have.
 *
 * @returns the URL to answer instead of the request's
 */
export function rewriteUrl({ method, url = '', headers }: IncomingMessage): string {
	const isBrowser = method === 'GET' && headers.accept?.includes('text/html');
	return isBrowser && url.split('?', 1)[0] === '/' ? `${PREFIX}/index.html` : url;
}

/** Serves the page about the community, and what it shows. */
export function servePage(app: FastifyInstance, sandbox: Sandbox): void {
	app.get<{ Params: { name: string } }>(`${PREFIX}/:name`, ({ params: { name } }, reply) =>
		Object.hasOwn(FILES, name) ? sendFile(reply, FILES[name]) : reply.callNotFound(),
	);
	app.get<{ Querystring: { find?: string } }>(`${DEV_PREFIX}/view`, ({ query }) =>
		viewOf(sandbox, query.find),
	);
}

async function sendFile(reply: FastifyReply, path: string): Promise<FastifyReply> {
	const content = await readFile(new URL(path, import.meta.url));
	const ending = path.slice(path.lastIndexOf('.') + 1);
	return reply.headers(HEADERS).type(TYPES[ending]).send(content);
}
