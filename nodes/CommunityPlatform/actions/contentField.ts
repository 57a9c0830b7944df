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
	return {
		...content,
		description:
			'Replaces the whole text. In HTML, wrap each paragraph in &lt;p&gt;…&lt;/p&gt;, because the API may drop other elements.',
	};
}

/**
 * Converts plain text to HTML. Refuses what a model sends by mistake, because the API cannot delete what was published.
 */
export function toHtmlContent({ body, values, labels, gaveNothing, isTool }: Input): void {
	if (body.content === undefined) return;
	const content = String(body.content);
	// As HTML, only a part of the text might be published.
	if (gaveNothing.includes(labels.contentType)) throw emptyInItem(null, labels.contentType);
	if (isTool) refuseNoText(content, labels.content);
	// A model often sends plain text as HTML, which would show it as one line.
	const isText = values.contentType === 'text' || (isTool && !/[<&]/.test(content));
	if (isText) body.content = htmlOf(content);
}

// At least a sentence.
const LONG_ENOUGH = 40;
// Three dots at the end of a paragraph.
const DOTS = /(\.{3}|…)["'”’)]? ?(<|\n|$)/;

/** Refuses a part of a text from a model that replaces the whole: only the words to change, or dots instead of the rest. */
export function refusePart(whole: string, part: string, label: string): void {
	const [before, after] = [whole, part].map((each) => wordsOf(each).trim().length);
	if (before >= LONG_ENOUGH && after < before / 2) {
		const advice =
			"Write the whole text with your change. 'Get' returns the current text. Only a person can shorten it so much.";
		throw badValue(label, 'has less than half of the text that it replaces', advice);
	}
	if (DOTS.test(part) && !DOTS.test(whole)) {
		const advice = 'Write the whole text. Do not end a paragraph with dots.';
		throw badValue(label, "contains '...' in place of text", advice);
	}
}

function wordsOf(html: string): string {
	return html.replace(/<[^<>]*>|&#?\w+;/g, ' ');
}

// As in "see above" or "[existing content]".
const REFERENCE =
	/^\W*(see above|(un|not )changed|same as (above|before)|todo:|deleted\W*$)|\{\{|[[({] *(current|existing|original|previous|rest of the|same) (comment|content|message|post|text)/i;

function refuseNoText(content: string, label: string): void {
	const words = wordsOf(content);
	const hasWords = /[\p{L}\p{N}\p{S}]/u.test(words) || /<(img|video|audio)\b/i.test(content);
	if (!hasWords) throw badValue(label, 'has no text', 'Write the text to publish.');
	if (!REFERENCE.test(words)) return;
	const reason = 'refers to a text instead of containing it';
	throw badValue(label, reason, 'Write the whole text to publish.');
}
