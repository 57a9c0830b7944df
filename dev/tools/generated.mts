/**
 * Puts a generated part into a document, between `<!-- mark -->` and `<!-- /mark -->`.
 *
 * @param text the document
 * @param mark a word
 * @param part the text to insert
 * @returns the changed document
 * @throws if the document has no such marks
 */
export function withGenerated(text: string, mark: string, part: string): string {
	const between = new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- /${mark} -->)`);
	if (!between.test(text)) throw new Error(`There is no <!-- ${mark} --> … <!-- /${mark} -->`);
	return text.replace(between, (_all, begin: string, end: string) => `${begin}\n${part}\n\n${end}`);
}
