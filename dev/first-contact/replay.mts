import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { errorBody } from '../../sandbox/errors.mts';
import type { RecordedAnswer } from './recording.mts';

/** A server that gives the answers of another one. */
export interface Replay {
	baseUrl: string;
	/** Requests that no answer was recorded for. */
	unknown: string[];
	close(): Promise<void>;
}

/**
 * Starts a server on 127.0.0.1 that answers as it was recorded: the same request again with the next answer
 * that was recorded for it, and with the last one from then on.
 *
 * @param recording from `recordingOf`
 */
export async function startReplay(recording: string): Promise<Replay> {
	const answers = new Map<string, RecordedAnswer[]>();
	for (const answer of JSON.parse(recording) as RecordedAnswer[]) {
		answers.set(answer.url, [...(answers.get(answer.url) ?? []), answer]);
	}
	const unknown: string[] = [];
	const app = fastify({ forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, _payload, done) => done(null));
	app.all('*', async ({ url }, reply) => {
		const known = answers.get(url) ?? [];
		const answer = known.length > 1 ? known.shift() : known[0];
		if (!answer) {
			unknown.push(url);
			return await reply.code(404).send(errorBody(404, 'nothing was recorded for this'));
		}
		const { status, headers, body } = answer;
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		return await reply.code(status).headers(headers).send(text);
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
		unknown,
		close: async () => await app.close(),
	};
}
