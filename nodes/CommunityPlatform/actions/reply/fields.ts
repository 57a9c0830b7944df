import type { Field } from '../../input/field';
import { meaning } from '../../input/field';
import { numberOf } from '../../input/identifiers';

export const replyId: Field = {
	displayName: 'Reply ID',
	name: 'replyId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'The number of the reply',
	hint: 'Drag the field reply_id from the item of the reply',
	[meaning]: { read: numberOf('reply'), isIdentifier: true },
};
