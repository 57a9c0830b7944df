import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

const UNSEEN = '[\\s\\u00AD\\u061C\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]';

/**
 * Invisible characters at the ends of a copied text, but not a joiner after a letter, which changes the letter's form. The
 * look-behind keeps the pattern linear.
 */
export const UNSEEN_ENDS = new RegExp(
	`^${UNSEEN}+|(?<!${UNSEEN})(?!(?<=[\\p{L}\\p{M}])\\u200D)${UNSEEN}+$|(?<=[\\p{L}\\p{M}]\\u200D)${UNSEEN}+$`,
	'gu',
);

const UNSEEN_SIGN = new RegExp(UNSEEN);
const VISIBLE_SIGN = new RegExp(UNSEEN.replace('[', '[^'));

/** The line breaks of all systems and of Unicode. */
export const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;

/** The parts of a text that are separated by commas, semicolons or white space. */
export function splitList(text: unknown): string[] {
	return [text]
		.flat()
		.map((each: unknown) =>
			each && typeof each === 'object' ? JSON.stringify(each) : trimmed(each),
		)
		.join()
		.split(/[\s,;]/)
		.map(trimmed)
		.filter((part) => part !== '');
}

/** A domain in lower case and its ASCII form (xn--), without a dot at its end; undefined for anything else. */
export function asciiDomain(text: string): string | undefined {
	// No name of the DNS is longer (RFC 1035, section 2.3.4).
	if (text.length > 255 || /[/\\?#@:]/.test(text)) return undefined;
	const url = `http://${text.replace(/\.$/, '')}`;
	const domain = URL.canParse(url) ? new URL(url).hostname : '';
	return /^([\w-]+\.)*[a-z][\w-]*$/.test(domain) ? domain : undefined;
}

/** A value as text without white space and invisible characters at its ends; empty for an object, a list or no value. */
export function trimmed(value: unknown): string {
	if (typeof value === 'object' || value === undefined) return '';
	const text = String(value);
	// Otherwise a long text is searched in vain.
	const isDue = UNSEEN_SIGN.test(text.at(0) ?? '') || UNSEEN_SIGN.test(text.at(-1) ?? '');
	return isDue ? text.replace(UNSEEN_ENDS, '') : text;
}

/** Whether a text has no visible character. */
export function isInvisible(text: string): boolean {
	return !VISIBLE_SIGN.test(text);
}

/** A text in a Unicode form, in linear time: a joiner divides long runs of combining marks (Unicode Annex 15). */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKD' = 'NFC'): string {
	return text.replace(/\p{M}{30}/gu, '$&\u034F').normalize(form);
}

/** Folds a name: its form, case, white space and a leading # do not distinguish names (docs/decisions.md, A17). */
export function foldName(name: unknown, isTag = false): string {
	const line = trimmed(name).replace(/\s+/g, ' ');
	const bare = isTag ? trimmed(line.replace(/^#/, '')) : line;
	return normalized(bare).toLowerCase();
}

// As people type it: without accents, and without letters that few keyboards have.
const TYPED: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

/** Returns a name as people type it, to compare names. */
export function plainName(name: unknown): string {
	const letters = normalized(foldName(name), 'NFD').replace(/\p{M}/gu, '');
	return letters.replace(/\P{ASCII}/gu, (letter) => TYPED[letter] ?? letter);
}

/** A text without the quotation marks around it. */
export function unquoted(text: string): string {
	return text.replace(/^(["'])(.*)\1$|^[“„«](.*)[”“»]$/, '$2$3');
}

/** Whether two texts are the same name, see {@link foldName}. */
export function isSameName(one: unknown, other: unknown, isTag = false): boolean {
	return foldName(one, isTag) === foldName(other, isTag);
}

/** A time of the API (ISO 8601, in UTC unless it has a zone) in milliseconds since 1970, NaN for anything else. */
export function toTime(value: unknown): number {
	const text = trimmed(value);
	return Date.parse(/[T ][\d:.]+$/.test(text) ? `${text}Z` : text);
}

/** A number with its noun, e.g. "1 member". The plural adds an s unless it is passed. */
export function counted(count: number, one: string, several = `${one}s`): string {
	return `${count} ${count === 1 ? one : several}`;
}

const LONGEST_SHOWN = 40;

/** A change as a text for people, e.g. "role: Member → Champion". Only its name if a value is long or unknown. */
export function changeInWords(name: string, from?: string, to?: string): string {
	const isShort = [from, to].every((value) => value && value.length <= LONGEST_SHOWN);
	return isShort ? `${name}: ${from} → ${to}` : name;
}

/** Returns plain text as HTML. A single line without special characters does not change. */
export function htmlOf(plain: string): string {
	const lines = plain.replace(LINE_BREAK, '\n');
	const escaped = (lines.includes('\n') ? lines.trim() : plain)
		.replace(/&/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;');
	const paragraphs = escaped.replace(/\n\s*\n/g, '</p><p>');
	const html = paragraphs.replace(/\n/g, '<br>');
	return paragraphs === escaped ? html : `<p>${html}</p>`;
}

// Signs that look alike, so that a name such as "Q&A" stays readable.
const NO_MARKUP: Record<string, string> = { '<': '‹', '>': '›', '&': '＆' };

/** A text for n8n's editor, which shows hints and descriptions of failures as HTML, while values can contain anything. */
export function withoutMarkup(text: string): string {
	return text.replace(/[<>&]/g, (sign) => NO_MARKUP[sign]);
}

/** A short text that is the same for the same text, or for records with the same fields and values in the same order. */
export function fingerprint(of: IDataObject | string): string {
	return createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 16);
}
