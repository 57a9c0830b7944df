const HIDDEN = '[hidden]';
// Anything shorter is not a secret, and hiding it would garble any text.
const SHORTEST = 6;

/**
 * Hides the secrets in a text for a message, an error item or a log, even if they are encoded (docs/decisions.md, A20).
 * Call it before the text is cut off.
 */
export function redacted(text: string, secrets: string[]): string {
	const forms = secrets.filter(({ length }) => length >= SHORTEST).flatMap(formsOf);
	// The longest first, because a login contains the key.
	forms.sort((a, b) => b.length - a.length);
	return forms.reduce((shown, form) => shown.replaceAll(form, HIDDEN), text);
}

function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const inAddress = encodeURIComponent(secret);
	return [
		secret,
		JSON.stringify(secret).slice(1, -1),
		inAddress,
		inAddress.replace(/%../g, (byte) => byte.toLowerCase()),
		String(new URLSearchParams([['', secret]])).slice(1),
		bytes.toString('base64').replace(/=/g, ''),
		bytes.toString('base64url'),
		bytes.toString('hex'),
	];
}
