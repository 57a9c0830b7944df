const HIDDEN = '[hidden]';
// Anything shorter is no secret, and would be cut out of any text.
const SHORTEST = 6;

/**
 * Makes the function that hides secrets in messages, error items and logs. Records go through untouched
 * (docs/decisions.md, A20).
 *
 * @param secrets found without regard to case, plain and URL-encoded
 * @returns takes the text before it is cut off
 */
export function redactor(secrets: string[]): (text: string) => string {
	let pattern: RegExp | undefined;
	return (text) => {
		pattern ??= patternOf(secrets.filter(({ length }) => length >= SHORTEST));
		return text.replace(pattern, HIDDEN);
	};
}

function patternOf(secrets: string[]): RegExp {
	// The longest first: a login contains its key.
	const parts = [...secrets].sort((a, b) => b.length - a.length).map(eitherForm);
	return new RegExp(parts.length === 0 ? '(?!)' : parts.join('|'), 'gi');
}

function eitherForm(secret: string): string {
	const characters = [...secret].map((character) => {
		if (/\w/.test(character)) return character;
		const bytes = [...Buffer.from(character)]
			.map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
			.join('');
		return `(?:${character.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&')}|${bytes}${character === ' ' ? '|\\+' : ''})`;
	});
	return characters.join('');
}
