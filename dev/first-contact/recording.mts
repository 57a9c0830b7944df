import { assertRedacted, masked, redactorOf } from './redact.mts';
import type { Answer, Contact } from './visitor.mts';

/** An answer as it is written down. */
export type RecordedAnswer = Pick<Answer, 'url' | 'status' | 'headers' | 'body'>;

const HEADERS_KEPT = /^(content-type|has_more|retry-after|(x-)?rate-?limit.*)$/;

const IP_ADDRESS = /\d+(\.\d+){3}|:\w*:/;

/**
 * Writes answers down without what is personal, see `redactorOf`.
 *
 * @returns JSON, which `startReplay` answers from
 * @throws Error when something that is to be replaced would be left
 */
export function recordingOf(answers: Answer[], contact: Contact): string {
	const redactor = redactorOf(answers);
	const recorded = answers.map(({ url, status, headers, body }): RecordedAnswer => ({
		url: redactor.url(url),
		status,
		headers: Object.fromEntries(
			Object.entries(headers)
				.filter(([name]) => HEADERS_KEPT.test(name))
				.map(([name, value]) => [name, name.includes('rate') ? limitOnly(value) : value]),
		),
		body: redactor.body(body),
	}));
	const text = `${JSON.stringify(recorded, null, '\t')}\n`;
	assertRedacted(text, answers, contact);
	return text;
}

// Figures and the parameters of the RateLimit header, e.g. `"default";r=50;t=30`; a community can put anything there.
function limitOnly(value: string): string {
	const unnamed = value.replace(/"[^"]*"/g, '"x"');
	if (IP_ADDRESS.test(value)) return masked(value);
	return /^["x\d\s.,;:=qrtw-]*$/.test(unnamed) ? unnamed : masked(value);
}
