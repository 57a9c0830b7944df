const PLAIN_NAME = /^[a-z_][\w-]{0,40}$/i;
const MOST_NAMES = 20;

/**
 * Names that a community chose, for the report. What is no plain name may be a person's address or number, or hold
 * control characters.
 *
 * @param names in the order in which they are to be shown; a repeated one is shown once
 */
export function shownNames(names: string[]): string {
	const shown = names.map((name) => (PLAIN_NAME.test(name) ? name : '(no plain name)'));
	const distinct = [...new Set(shown)];
	const more = distinct.length - MOST_NAMES;
	return [...distinct.slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** An msid without its second half, which a recording leaves out, too. */
export function shownMsid(msid: string): string {
	const [, number] = /^(\d+)\./.exec(msid) ?? [];
	return number === undefined ? '(no msid)' : `${number}.…`;
}

/** Path and query of a request, without a member's identifier and without what was searched for. */
export function shownUrl(url: string): string {
	return url
		.replace(/^(\/api\/v1\/\w+\/)(?!(\d+|me|mapping|search)($|\?))[^?]+/, '$1…')
		.replace(/([?&]q=)[^&]*/, '$1…');
}
