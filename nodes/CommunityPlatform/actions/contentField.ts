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
		{ name: 'HTML', value: 'html', description: 'Sent as it is' },
		{
			name: 'Plain Text',
			value: 'text',
			description:
				'Keeps line breaks, and shows signs such as &lt; instead of treating them as HTML',
		},
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
			'The whole text. As HTML, use paragraphs such as &lt;p&gt;…&lt;/p&gt;: the API may drop other elements.',
		routing: { send: { type: 'body', property: 'content' } },
		[rules]: { read: filledText },
	};
}

/** The same content in an update. */
export function replacedContent(content: Field): Field {
	const description = String(content.description).replace('The', 'Replaces the');
	return { ...content, description };
}

const IN_HTML = "Write it as HTML, e.g. <p>…</p>, or set '{type}' to Plain Text.";

/** What a model sends by mistake: how it looks, what it is, and what to write instead. */
const MISTAKES: Array<{
	isIn(content: string, words: string): boolean;
	reason: string;
	advice: string;
}> = [
	{
		isIn: (content, words) =>
			!/[\p{L}\p{N}\p{S}]/u.test(words) && !/<(img|video|audio)\b/i.test(content),
		reason: 'has no text',
		advice: 'Write the whole text that is to be shown.',
	},
	{
		isIn: (content) => /<(script|style)\b/i.test(content),
		reason: 'has a script or a style',
		advice: 'Take it out: the community shows text, links and pictures.',
	},
	{
		isIn: (content) => /&lt;\/?[a-z][^&]*&gt;/i.test(content) && !/<[a-z]/i.test(content),
		reason: 'is escaped HTML',
		advice: 'Write the tags as they are, e.g. <p>…</p>.',
	},
];

const MISTAKES_IN_HTML: typeof MISTAKES = [
	{
		// **bold**, # headings, [links](…), and rows of a list.
		isIn: (content) =>
			/\*\*\S[^*]*\*\*|^#{1,6} |\[[^[\]]+\]\(\S|^[\t ]*[-*] /m.test(content) &&
			!/<[a-z]/i.test(content),
		reason: 'has the marks of Markdown',
		advice: 'Content is HTML: <strong>…</strong>, <p>…</p>, <a href="…">…</a>.',
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
		reason: 'has tags of HTML, which plain text shows as they are',
		advice: "Leave the tags out, or set '{type}' to HTML.",
	},
];

/**
 * Makes HTML of a content in plain text. Refuses what a model sends by mistake, because what was published cannot be
 * deleted.
 */
export function toHtmlContent({ body, values, labels, gaveNothing, isTool }: Input): void {
	if (body.content === undefined) return;
	const content = String(body.content);
	// To take it for HTML could publish only a part of the text.
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
