import type { Field } from '../../field';
import { meaning } from '../../field';
import { numericId } from '../../input/values';

export const replyId: Field = {
	displayName: 'Reply ID',
	name: 'replyId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'The number of the reply',
	[meaning]: { read: numericId },
};
