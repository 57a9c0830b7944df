import { htmlOf } from '../../shared/text';
import { emptyInItem } from '../input/entered';
import { filledText } from '../../shared/values';
import { textField } from './common';
import { rules, type Field, type Input } from './field';

/** How the content of a post, a comment or a reply is written. */
export const contentType: Field = {
	displayName: 'Content Type',
	name: 'contentType',
	type: 'options',
	default: 'text',
	description: "How 'Content' is written",
	options: [
		{ name: 'HTML', value: 'html', description: 'Sent unchanged' },
		{ name: 'Plain Text', value: 'text', description: 'Shown as typed, with its line breaks' },
	],
};

/** The content of a new post, comment or reply. */
export function contentField(example: string): Field {
	return textField('Content', 'content', 'content', {
		required: true,
		typeOptions: { rows: 4 },
		placeholder: `e.g. ${example}`,
		description:
			"The whole text. With 'HTML' as 'Content Type', wrap each paragraph in &lt;p&gt;…&lt;/p&gt;.",
		[rules]: { convert: filledText },
	});
}

/** Returns the same field for an update. */
export function replacedContent(content: Field): Field {
	return {
		...content,
		description:
			"Replaces the whole text. With 'HTML' as 'Content Type', wrap each paragraph in &lt;p&gt;…&lt;/p&gt;.",
	};
}

/** Converts plain text to HTML (docs/decisions.md, A36). Throws a Failure if 'Content Type' has no value in an item. */
export function toHtmlContent({ body, values, labels, withoutValue }: Input): void {
	if (body.content === undefined) return;
	// As the other type, only a part of the text might be published.
	if (withoutValue.includes(labels.contentType)) throw emptyInItem(null, labels.contentType);
	if (values.contentType !== 'html') body.content = htmlOf(String(body.content));
}

// The elements of a text as the API returns it.
const MARKUP = /<(p|br|a|b|i|em|strong|ul|ol|li|h[1-6]|blockquote|div|span|img)\b[^<>]*>/i;

/** Returns a hint if a plain text contains HTML, which members would read. */
export function hintsAboutContent({ values: { content, contentType } }: Input): string[] {
	if (contentType === 'html' || !MARKUP.test(String(content ?? ''))) return [];
	return [
		"The text contains HTML, which appears as typed. If it is meant as HTML, choose it in 'Content Type'.",
	];
}
