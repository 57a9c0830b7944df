const HIDDEN = '[hidden]';
// Anything shorter is no secret, and would be cut out of any text.
const SHORTEST = 6;

// How programs spell a character in JSON and in HTML.
const ESCAPED = /\\u([\da-f]{4})|&(?:#(\d{2,6}|x[\da-f]{2,5})|(amp|lt|gt|quot|apos));/gi;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * A text for a message, an error item or a log, with its secrets hidden (docs/decisions.md, A20): without regard to
 * case, in base64 and hexadecimal, too, and however a character is spelled. To be called before it is cut off.
 */
export function redacted(text: string, secrets: string[]): string {
	const bytes = bytesOf(text);
	const searched = compared(bytes);
	const places = secrets
		.filter(({ length }) => length >= SHORTEST)
		.flatMap(formsOf)
		.flatMap((form) => placesOf(form, searched));
	if (places.length === 0) return text;
	let shown = '';
	let end = 0;
	for (const [from, to] of places.sort(([one], [other]) => one - other)) {
		if (from >= end) shown += bytes.slice(end, from) + HIDDEN;
		end = Math.max(end, to);
	}
	return Buffer.from(shown + bytes.slice(end), 'latin1').toString();
}

function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const encoded = (['base64', 'base64url', 'hex'] as const).map((name) => bytes.toString(name));
	const forms = [
		bytesOf(secret),
		bytes.toString('latin1'),
		...encoded.map((text) => text.replace(/=/g, '')),
	];
	return forms.map(compared);
}

// Of the same length. Forms write a space as a plus.
function compared(bytes: string): string {
	return bytes.toLowerCase().replace(/\+/g, ' ');
}

/** A text with one spelling for each character: a character for each of its bytes in UTF-8. */
function bytesOf(text: string): string {
	const plain = text
		.replace(ESCAPED, (_, unicode?: string, entity?: string, name = '') =>
			unicode || entity
				? String.fromCodePoint(Number(unicode ? `0x${unicode}` : `0${entity}`))
				: ENTITIES[name.toLowerCase()],
		)
		.replace(/\\(?=[^\w\s])/g, '');
	// Percent-encoding has bytes, as this text. An address within an address is encoded twice.
	return unescape(unescape(Buffer.from(plain).toString('latin1')));
}

function placesOf(form: string, text: string): Array<[from: number, to: number]> {
	const places: Array<[from: number, to: number]> = [];
	for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
		places.push([at, at + form.length]);
	}
	return places;
}
