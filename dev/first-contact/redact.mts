import { openApi, resolve } from '../../sandbox/openapi.mts';
import type { Answer, Contact } from './visitor.mts';

/** Replaces what is personal by what has the same structure, the same thing always by the same. */
export interface Redactor {
	/** Path and query of a request. */
	url(url: string): string;
	body(body: unknown): unknown;
}

// Of these, the value is one of few that the API has, and says nothing of a member.
const CODES = ['board_type', 'event'];
const CODE = /^[A-Z_.]+$/i;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const COLOUR = /^#[0-9a-f]{3,8}$/i;
const MSID = /^(\d+)\.([A-Za-z0-9_-]+)$/;
const ERROR_CODE = /^ERR_V1\d*/;
const STATUS_NAME = /^[A-Z_]+$/;
// Codes, counts, identifiers and times; in any other field a number may be a telephone number.
const NUMERIC = /(_id|_status|_type|_count|_order|_for|_at)$|^(status|state|time|pinned_posts)$/;
// The number that a member has elsewhere, e.g. as an employee.
const OF_ANOTHER_SYSTEM = 'sso_id';
// An identifier in a path is a number, or an msid; the others are names of endpoints.
const PATH_PART = /^(\d*|api|v1|users|me|boards|roles|tags|search|mapping|posts|comments|replies)$/;
// Page numbers, identifiers, and the words that the API has for orders and kinds of records.
const QUERY_VALUE = /^([\d,]*|user_id|id|joined|name|asc|desc|USER)$/;
// A record has two or three levels; many thousands of them exceed the stack.
const MOST_LEVELS = 50;
const SOME_TIME = '2000-01-01T00:00:00Z';
// What else stands in angle brackets may be part of an e-mail address.
const ELEMENT =
	/^(a|b|blockquote|br|code|div|em|h[1-6]|hr|i|iframe|img|li|mark|ol|p|pre|s|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul|video)$/i;
const FIELDS = documentedFields();

/**
 * Makes a redactor for what one visit was answered.
 *
 * - Numbers of fields that are documented as numbers, codes, times and colours stay; other numbers become 0.
 * - Names become `Name0001` and so on, in the order that they have; web addresses, e-mail addresses and the
 *   second half of an msid are numbered likewise.
 * - Texts with HTML keep their elements, without attributes; their letters become x.
 * - Times of fields that are not documented become one and the same.
 * - Keys of objects stay where they are documented, or look like the names of fields and are no text elsewhere.
 * - What is nested deeper than 50 levels becomes null.
 */
export function redactorOf(answers: Answer[]): Redactor {
	const texts = new Set<string>();
	for (const { body, url } of answers) {
		collect(body, texts);
		for (const value of valuesIn(url)) texts.add(value);
	}
	const names = [...texts].sort(
		(a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' }) || (a < b ? -1 : 1),
	);
	const numbers = new Map(names.map((name, index) => [name, String(index + 1).padStart(4, '0')]));
	const sids = new Map<string, string>();
	const sid = (value: string) => {
		const known = sids.get(value) ?? `s${String(sids.size + 1).padStart(4, '0')}`;
		sids.set(value, known);
		return known;
	};

	const text = (value: string, field: string): string => {
		const msid = MSID.exec(value);
		if (msid && /msid|author/.test(field)) return `${msid[1]}.${sid(msid[2])}`;
		if (field === 'sid') return sid(value);
		if (TIME.test(value) && !FIELDS.has(field)) return SOME_TIME;
		if (isPlain(value, field)) return value;
		if (field === 'message')
			return (ERROR_CODE.exec(value)?.[0] ?? '') + masked(value.replace(ERROR_CODE, ''));
		if (/<\w/.test(value)) return masked(value);
		const number = numbers.get(value) ?? '0000';
		if (/^\w+:\/\//.test(value)) return `https://community.example/${number}`;
		if (value.includes('@')) return `member${number}@community.example`;
		return value === value.toLowerCase() ? `name${number}` : `Name${number}`;
	};
	const redact = (value: unknown, field: string, level = 0): unknown => {
		if (level > MOST_LEVELS) return null;
		if (typeof value === 'string') return text(value, field);
		if (typeof value === 'number') return isNumeric(field) ? value : 0;
		if (Array.isArray(value)) return value.map((each) => redact(each, field, level + 1));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, each]) => [key(name), redact(each, name, level + 1)]),
		);
	};
	const lowerCased = new Set(names.map((name) => name.toLowerCase()));
	const looksLikeField = (name: string) =>
		/^[a-z]\w{0,30}$/i.test(name) && !lowerCased.has(name.toLowerCase());
	const key = (name: string) =>
		FIELDS.has(name) || looksLikeField(name) ? name : text(name, 'msid');
	return {
		body: (body) => redact(body, ''),
		url: (url) => {
			const { pathname, searchParams } = new URL(url, 'http://localhost');
			const path = pathname
				.split('/')
				.map((part) =>
					PATH_PART.test(part) ? part : encodeURIComponent(text(decodeURIComponent(part), 'msid')),
				)
				.join('/');
			const query = new URLSearchParams(
				[...searchParams].map(([name, value]) => [
					name,
					name === 'q' || !QUERY_VALUE.test(value) ? text(value, 'name') : value,
				]),
			).toString();
			return query === '' ? path : `${path}?${query}`;
		},
	};
}

/**
 * Checks that nothing is left of what was to be replaced.
 *
 * @param recording the text that is to be written
 * @throws Error when it holds the key, the host or a text of a member
 */
export function assertRedacted(recording: string, answers: Answer[], contact: Contact): void {
	const before = new Set<string>();
	for (const { body } of answers) collect(body, before);
	const after = new Set<string>();
	for (const { body } of JSON.parse(recording) as Answer[]) collect(body, after);
	const { host } = new URL(contact.baseUrl);
	const isLeft =
		// A text such as `<p></p>` is the same masked.
		[...after].some((text) => before.has(text) && masked(text) !== text) ||
		[contact.apiKey, host].some((secret) => recording.includes(secret));
	if (isLeft) {
		throw new Error(
			'Nothing was written: the redacted answers still hold a text that is to be replaced.',
		);
	}
}

function collect(value: unknown, texts: Set<string>, field = '', level = 0): void {
	if (level > MOST_LEVELS) return;
	if (typeof value === 'string') {
		if (!isPlain(value, field) && !ERROR_CODE.test(value)) texts.add(value);
	} else if (Array.isArray(value)) {
		for (const each of value) collect(each, texts, field, level + 1);
	} else if (typeof value === 'object' && value !== null) {
		for (const [name, each] of Object.entries(value)) collect(each, texts, name, level + 1);
	}
}

function valuesIn(url: string): string[] {
	return new URL(url, 'http://localhost').searchParams.getAll('q');
}

function isPlain(value: string, field: string): boolean {
	if (value === '' || TIME.test(value) || COLOUR.test(value)) return true;
	if (CODES.includes(field)) return CODE.test(value);
	if (isNumeric(field) && /^-?\d{1,10}$/.test(value)) return true;
	return field === 'status' && STATUS_NAME.test(value);
}

function isNumeric(field: string): boolean {
	return FIELDS.has(field) && NUMERIC.test(field) && field !== OF_ANOTHER_SYSTEM;
}

/** Letters become x and digits 0; elements of HTML stay, without attributes. */
export function masked(text: string): string {
	return text.replace(
		/<(\/?)(\w+)([^>]*)>|\p{Lu}\p{M}*|\p{L}\p{M}*|\p{M}|\p{N}/gu,
		(found, slash?: string, element?: string, rest?: string) => {
			if (element !== undefined && ELEMENT.test(element)) return `<${slash}${element}>`;
			if (element !== undefined) return `<${slash}${masked(element + rest)}>`;
			if (/^\p{N}/u.test(found)) return '0';
			return /^\p{Lu}/u.test(found) ? 'X' : 'x';
		},
	);
}

function documentedFields(): Set<string> {
	const fields = new Set<string>();
	for (const schema of Object.values(openApi.components.schemas)) {
		const { properties } = resolve(schema) as { properties?: object };
		for (const field of Object.keys(properties ?? {})) fields.add(field);
	}
	return fields;
}
