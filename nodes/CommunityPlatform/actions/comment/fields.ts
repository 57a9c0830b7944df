import type { Field } from '../../input/field';
import { contentField } from '../content';
import { meaning } from '../../input/field';
import { numberOf } from '../../input/identifiers';

export const commentId: Field = {
	displayName: 'Comment ID',
	name: 'commentId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'The number of the comment',
	hint: 'Drag the field comment_id from the item of the comment, or of one of its replies',
	[meaning]: { read: numberOf('comment'), isIdentifier: true },
};

export const content = contentField('Thank you for sharing this.');
