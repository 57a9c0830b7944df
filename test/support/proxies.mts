import { request as forward } from 'node:http';
import { parse } from 'node:url';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { serve, type TestServer } from './servers.mts';

/** An HTTP proxy that passes everything on. */
export async function serveProxy(host?: string): Promise<TestServer> {
	return await serve((request, response) => {
		const { method, headers, url } = request;
		const onward = forward(String(url), { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 500, answer.headers);
			answer.pipe(response);
		});
		request.pipe(onward);
	}, host);
}

/** How n8n-core 2.41 converts the setting "Proxy" (RoutingNode.runNode). */
export function proxyByN8n(proxy: string): IHttpRequestOptions['proxy'] {
	const { hostname, port, protocol, auth } = parse(proxy);
	const [username, password] = auth?.split(':') ?? [];
	return {
		host: String(hostname),
		port: parseInt(port as string),
		protocol: protocol?.replace(/:$/, '') || undefined,
		...(auth ? { auth: { username, password } } : {}),
	};
}

/** The environment variables for proxies, which are unset after each test of a `describe`. */
export function useProxyVariables(): Partial<
	Record<'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY', string>
> {
	afterEach(() => {
		for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) delete process.env[name];
	});
	return process.env;
}
