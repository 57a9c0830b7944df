import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failures/failure';

const HIDDEN = '[hidden]';
// What is shorter is no secret, and would be cut out of any text.
const SHORTEST = 6;

/** Takes secrets out of what leaves the node: records, texts, failures. */
export class Redactor {
	private readonly secrets: string[];

	/** @param secrets white space around them is none of them */
	constructor(secrets: unknown[]) {
		this.secrets = secrets
			.map((secret) => String(secret ?? '').trim())
			.filter(({ length }) => length >= SHORTEST)
			.sort((a, b) => b.length - a.length);
	}

	/** A record without the secrets, in its keys, too; the same object where it has none. */
	record(record: IDataObject): IDataObject {
		return this.isIn(JSON.stringify(record)) ? (this.cleaned(record) as IDataObject) : record;
	}

	/** A failure without the secrets; the same one where it has none. */
	failure(failure: Failure): Failure {
		const { message, advice, details, backOff, isUncertain } = failure;
		if (!this.isIn(JSON.stringify([message, advice, details]))) return failure;
		const clean = this.cleaned(details) as typeof details;
		return new Failure(this.text(message), this.text(advice), clean, backOff, isUncertain);
	}

	private isIn(json: string): boolean {
		return this.secrets.some((secret) => json.includes(JSON.stringify(secret).slice(1, -1)));
	}

	private text(text: string): string {
		return this.secrets.reduce((clean, secret) => clean.split(secret).join(HIDDEN), text);
	}

	private cleaned(value: unknown): unknown {
		if (typeof value === 'string') return this.text(value);
		if (typeof value !== 'object' || value === null) return value;
		if (Array.isArray(value)) return value.map((each) => this.cleaned(each));
		const entries = Object.entries(value).map(([key, each]) => [
			this.text(key),
			this.cleaned(each),
		]);
		return Object.fromEntries(entries) as IDataObject;
	}
}
