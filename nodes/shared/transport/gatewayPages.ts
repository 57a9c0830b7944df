import type { HttpAnswer } from './answer';

const SERVICE_UNAVAILABLE = 503;

// Pages that gateways write themselves, before they have passed a request on:
// - nginx for what `limit_req` and `limit_conn` refuse, 503 by default (ngx_http_limit_req_module;
//   the page: ngx_http_special_response.c). What an upstream answers is passed on as it is, and one that cannot
//   be reached gives 502 or 504;
const NGINX =
	/^<html>\s*<head><title>503 Service Temporarily Unavailable<\/title><\/head>\s*<body[^>]{0,20}>\s*<center><h1>503 Service Temporarily Unavailable<\/h1><\/center>\s*<hr><center>(nginx|openresty)(\/[\d.]+)?( \([^)<]{1,20}\))?<\/center>\s*<\/body>\s*<\/html>\s*(<!-- a padding to disable MSIE and Chrome friendly error page -->\s*)*$/i;
// - HAProxy "when no server was available to handle the request" (configuration manual, section 1.3.1). What a
//   server answers, or that it answers too late, looks different.
const HAPROXY =
	/^<html>\s*<body><h1>503 Service Unavailable<\/h1>\s*No server is available to handle this request\.\s*<\/body><\/html>\s*$/i;
// Headers of an answer that came through something else, or from a program behind the gateway.
const PASSED_ON = ['via', 'age', 'x-powered-by'];

/** Whether an answer proves that a gateway has refused a request without passing it on (docs/decisions.md, A12). */
export function isRefusedByGateway({ statusCode, headers, body }: HttpAnswer): boolean {
	if (statusCode !== SERVICE_UNAVAILABLE || typeof body !== 'string') return false;
	if (PASSED_ON.some((name) => name in headers)) return false;
	return NGINX.test(body) || HAPROXY.test(body);
}
