const TIMEOUT_MS = 5_000;

/**
 * Calls a development endpoint.
 *
 * @param {string} method
 * @param {string} path below `/_sandbox`
 * @param {unknown} [body] sent as JSON
 * @returns {Promise<any>} the answer's body
 * @throws {Error} with the reason in the answer, or that there was no answer
 */
export async function ask(method, path, body) {
	const response = await fetch(`/_sandbox${path}`, {
		method,
		headers: body === undefined ? {} : { 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
		signal: AbortSignal.timeout(TIMEOUT_MS),
	}).catch(() => {
		throw new Error('The community does not answer.');
	});
	const answer = await response.json();
	if (response.ok) return answer;
	// Strips the code of a refusal, e.g. ERR_V1400 | the reason.
	throw new Error(String(answer.message).split(' | ').slice(1).join(' | '));
}
