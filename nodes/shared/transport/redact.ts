import type { IDataObject } from 'n8n-workflow';
import type { HttpAnswer } from './answer';

const HIDDEN = '[hidden]';
// Anything shorter is no secret, and would be cut out of any text.
const SHORTEST = 6;

/** Takes secrets out of what leaves the node. */
export class Redactor {
	private readonly secrets?: RegExp;

	/** @param secrets without regard to case and to white space around them; also found in the usual encodings */
	constructor(secrets: unknown[]) {
		const forms = secrets
			.map((secret) => String(secret ?? '').trim())
			.filter(({ length }) => length >= SHORTEST)
			.flatMap(formsOf)
			.sort((a, b) => b.length - a.length);
		if (forms.length > 0) this.secrets = new RegExp(forms.map(escaped).join('|'), 'gi');
	}

	/** A record without the secrets, also in its keys; the same object where it has none. */
	record(record: IDataObject): IDataObject {
		return this.isIn(record) ? (this.cleaned(record) as IDataObject) : record;
	}

	/** An answer without the secrets. */
	answer(answer: HttpAnswer): HttpAnswer {
		return this.isIn(answer.body) || this.isIn(answer.headers)
			? {
					...answer,
					...(this.cleaned({ body: answer.body, headers: answer.headers }) as HttpAnswer),
				}
			: answer;
	}

	private isIn(value: unknown): boolean {
		if (!this.secrets) return false;
		try {
			return JSON.stringify(value)?.search(this.secrets) >= 0;
		} catch {
			// Nested too deeply to be looked through.
			return false;
		}
	}

	private text(text: string): string {
		return this.secrets ? text.replace(this.secrets, HIDDEN) : text;
	}

	private cleaned(value: unknown): unknown {
		if (typeof value === 'string') return this.text(value);
		if (typeof value === 'number') return this.text(String(value)) === HIDDEN ? HIDDEN : value;
		if (typeof value !== 'object' || value === null) return value;
		if (Array.isArray(value)) return value.map((each) => this.cleaned(each));
		const entries = Object.entries(value).map(([key, each]) => [
			this.text(key),
			this.cleaned(each),
		]);
		return Object.fromEntries(entries) as IDataObject;
	}
}

// Plain, URL-encoded, in HTML, in JSON (also nested), in base64 with or without padding.
function formsOf(secret: string): string[] {
	const html = secret.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
	const named = secret
		.replace(/&/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/"/g, '&quot;');
	const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
	const written = [secret, encodeURIComponent(secret), html, named, base64];
	const inJson = [...written, ...written.map(quotedInJson)];
	return [...new Set([...inJson, ...inJson.map(quotedInJson)])];
}

function quotedInJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
