import type { Field } from '../../operation/field';
import { meaning } from '../../operation/field';
import { filledText, numericId } from '../../operation/values';

export const commentId: Field = {
	displayName: 'Comment ID',
	name: 'commentId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'The number of the comment',
	[meaning]: { read: numericId },
};

export const content: Field = {
	displayName: 'Content',
	name: 'content',
	type: 'string',
	default: '',
	required: true,
	typeOptions: { rows: 4 },
	placeholder: 'e.g. Thank you for sharing this.',
	routing: { send: { type: 'body', property: 'content' } },
	[meaning]: { read: filledText },
};
