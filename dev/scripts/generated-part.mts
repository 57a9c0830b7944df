import { documentText } from './documents.mts';

/** A page that is written by hand down to a heading, and generated from there on. */
export interface Page {
	/** From the folder of the project. */
	path: string;
	heading: string;
}

/**
 * Replaces the generated part of a page.
 *
 * @param generated Markdown, to follow the heading
 * @throws Error when the page lacks the heading
 */
export function withGenerated({ path, heading }: Page, generated: string): string {
	const [byHand, ...rest] = documentText(path).split(`\n${heading}\n`);
	if (rest.length !== 1) throw new Error(`${path} needs one heading "${heading}"`);
	return `${byHand}\n${heading}\n\n${generated}\n`;
}
