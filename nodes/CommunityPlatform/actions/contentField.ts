import { htmlOf } from '../../shared/text';
import { emptyInItem } from '../input/entered';
import { badValue, filledText } from '../input/values';
import { textField } from './common';
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
	return textField('Content', 'content', 'content', {
		required: true,
		typeOptions: { rows: 4 },
		placeholder: `e.g. ${example}`,
		description:
			'The whole text. In HTML, wrap each paragraph in &lt;p&gt;…&lt;/p&gt;, because the API may drop other elements.',
		[rules]: { convert: filledText },
	});
}

/** Returns the same field for an update. */
export function replacedContent(content: Field): Field {
	return {
		...content,
		description:
			'Replaces the whole text. In HTML, wrap each paragraph in &lt;p&gt;…&lt;/p&gt;, because the API may drop other elements.',
	};
}

/** Converts plain text to HTML. Throws a Failure if 'Content Type' has no value in an item. */
export function toHtmlContent({ body, values, labels, gaveNothing }: Input): void {
	if (body.content === undefined) return;
	// As HTML, only a part of the text might be published.
	if (gaveNothing.includes(labels.contentType)) throw emptyInItem(null, labels.contentType);
	if (values.contentType === 'text') body.content = htmlOf(String(body.content));
}

// At least a sentence.
const ENOUGH_WORDS = 8;
// A Chinese or Japanese sign is a word.
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;

/** Refuses a text from a model that leaves out most of the words of the text that it replaces, e.g. all but the new ones. */
export function refuseMostlyLost(whole: string, replacement: string, label: string): void {
	const [before, after] = [whole, replacement].map(wordsIn);
	if (before < ENOUGH_WORDS || 2 * after >= before) return;
	const advice =
		"Write the whole text with your change. 'Get' returns the current text. Only a person can shorten it so much.";
	throw badValue(label, 'leaves out most of the text that it replaces', advice);
}

function wordsIn(html: string): number {
	return html.replace(/<[^<>]*>|&#?\w+;/g, ' ').match(WORD)?.length ?? 0;
}
