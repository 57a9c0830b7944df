const UNSEEN = '[\\s\\u00AD\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]';

/** What comes along at the ends of a text copied from a page or a spreadsheet. The look-behind keeps it linear. */
export const UNSEEN_ENDS = new RegExp(`^${UNSEEN}+|(?<!${UNSEEN})${UNSEEN}+$`, 'g');

/** The parts of a text that are separated by commas, semicolons or white space. */
export function partsOf(text: unknown): string[] {
	return String(text ?? '')
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
	return String(value).replace(UNSEEN_ENDS, '');
}

/**
 * A time of the API in milliseconds since 1970, NaN for anything but a date. Without a zone it is UTC
 * (docs/api/README.md, "Resources and their fields"): this machine's zone has nothing to do with the community's.
 */
export function toTime(value: unknown): number {
	const text = String(value ?? '').trim();
	const hasZone = /(?:[a-z]|[+-]\d\d(?::?\d\d)?)$/i.test(text);
	return Date.parse(hasZone ? text : `${text}Z`);
}
