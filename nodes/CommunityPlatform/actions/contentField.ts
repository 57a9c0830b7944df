import { htmlOf } from '../../shared/text';
import { emptyInItem } from '../input/given';
import { badValue, filledText } from '../input/values';
import { rules, type Field, type Input } from '../input/field';

/** How the content of a post, a comment or a reply is written. */
export const contentType: Field = {
	displayName: 'Content Type',
	name: 'contentType',
	type: 'options',
	default: 'html',
	description: "How 'Content' is written",
	options: [
		{ name: 'HTML', value: 'html', description: 'Sent unchanged' },
		{ name: 'Plain Text', value: 'text', description: 'Shown as typed, with its line breaks' },
	],
};

/** The content of a new post, comment or reply. */
export function contentField(example: string): Field {
	return {
		displayName: 'Content',
		name: 'content',
		type: 'string',
		default: '',
		required: true,
		typeOptions: { rows: 4 },
		placeholder: `e.g. ${example}`,
		description:
			'The whole text. In HTML, wrap each paragraph in &lt;p&gt;…&lt;/p&gt;, because the API may drop other elements.',
		routing: { send: { type: 'body', property: 'content' } },
		[rules]: { read: filledText },
	};
}

/** Returns the same field for an update. */
export function replacedContent(content: Field): Field {
	const description = String(content.description).replace('The', 'Replaces the');
	return { ...content, description };
}

const IN_HTML = "Write HTML, e.g. <p>…</p>, or set '{type}' to 'Plain Text'.";

/** What a model sends by mistake: how to recognize it, what it is, and what to write instead. */
const MISTAKES: Array<{
	isIn(content: string, words: string): boolean;
	reason: string;
	advice: string;
}> = [
	{
		isIn: (content, words) =>
			!/[\p{L}\p{N}\p{S}]/u.test(words) && !/<(img|video|audio)\b/i.test(content),
		reason: 'has no text',
		advice: 'Write the text to publish.',
	},
	{
		isIn: (content) => /<(script|style)\b/i.test(content),
		reason: 'contains a script or a style',
		advice: 'Remove it, because the community shows only text, links and pictures.',
	},
	{
		isIn: (content) => /&lt;\/?[a-z][^&]*&gt;/i.test(content) && !/<[a-z]/i.test(content),
		reason: 'is escaped HTML',
		advice: 'Write the tags unescaped, e.g. <p>…</p>.',
	},
];

const MISTAKES_IN_HTML: typeof MISTAKES = [
	{
		// **bold**, # headings, [links](…), and rows of a list.
		isIn: (content) =>
			/\*\*\S[^*]*\*\*|^#{1,6} |\[[^[\]]+\]\(\S|^[\t ]*[-*] /m.test(content) &&
			!/<[a-z]/i.test(content),
		reason: 'contains Markdown',
		advice: 'Write HTML, e.g. <strong>…</strong>, <p>…</p> or <a href="…">…</a>.',
	},
	{
		isIn: (content) => content.trim().includes('\n') && !/<[a-z]/i.test(content),
		reason: 'has line breaks, which HTML does not show',
		advice: IN_HTML,
	},
];

const MISTAKES_IN_TEXT: typeof MISTAKES = [
	{
		isIn: (content) => /<\/(p|a|b|i|em|strong|ul|ol|li|div|h\d)>/i.test(content),
		reason: 'contains HTML tags, which plain text shows as typed',
		advice: "Remove the tags, or set '{type}' to 'HTML'.",
	},
];

/**
 * Converts plain text to HTML. Refuses what a model sends by mistake, because the API cannot delete what was published.
 */
export function toHtmlContent({ body, values, labels, gaveNothing, isTool }: Input): void {
	if (body.content === undefined) return;
	const content = String(body.content);
	// As HTML, only a part of the text might be published.
	if (gaveNothing.includes(labels.contentType)) throw emptyInItem(null, labels.contentType);
	const isText = values.contentType === 'text';
	if (isTool) {
		const words = content.replace(/<[^<>]*>/g, ' ');
		const all = [...MISTAKES, ...(isText ? MISTAKES_IN_TEXT : MISTAKES_IN_HTML)];
		const mistake = all.find(({ isIn }) => isIn(content, words));
		const advice = mistake?.advice.replace('{type}', labels.contentType) ?? '';
		if (mistake) throw badValue(labels.content, mistake.reason, advice);
	}
	if (isText) body.content = htmlOf(content);
}
