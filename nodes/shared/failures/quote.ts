const MOST_CHARACTERS = 60;

/**
 * A text that a user, a webhook or the API gave, as far as it can be recognised by.
 *
 * @param whole the text, of any length
 * @returns at most sixty characters of it, with a sign where it goes on
 */
export function shortened(whole: string): string {
	// Split into characters, because half of one that takes two units is not valid text.
	const shown = [...whole.slice(0, 2 * MOST_CHARACTERS)].slice(0, MOST_CHARACTERS).join('');
	return shown.length < whole.length ? `${shown}…` : whole;
}

/** The same in quotation marks, without the white space around it. */
export function quoted(text: string): string {
	return `'${shortened(text.trim())}'`;
}
