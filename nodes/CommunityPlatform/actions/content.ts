import type { Field } from '../input/field';
import { meaning } from '../input/field';
import { filledText } from '../input/values';

/**
 * The parameter with the content of a post, a comment or a reply.
 *
 * @param example shown while it is empty
 */
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
			'The whole text. Which HTML the API keeps is not documented, nor how it treats line breaks; paragraphs such as &lt;p&gt;…&lt;/p&gt; are the safest way. The record also has it as plain text, in clean_text.',
		routing: { send: { type: 'body', property: 'content' } },
		[meaning]: { read: filledText },
	};
}
