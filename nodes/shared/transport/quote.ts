const MOST_CHARACTERS = 60;

/**
 * The beginning of a text from a user, a webhook or the API, long enough to recognise it.
 *
 * @param whole the text, of any length
 * @returns at most sixty characters, with an ellipsis where it is cut off
 */
export function shortened(whole: string): string {
	// Split into characters, because half of a surrogate pair is not valid text.
	const shown = [...whole.slice(0, 2 * MOST_CHARACTERS)].slice(0, MOST_CHARACTERS).join('');
	return shown.length < whole.length ? `${shown}…` : whole;
}

/** The same in quotation marks, without the white space around it. */
export function quoted(text: string): string {
	return `'${shortened(text.trim())}'`;
}
