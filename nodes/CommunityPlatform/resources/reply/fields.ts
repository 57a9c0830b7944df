import type { Field } from '../../operation/field';
import { meaning } from '../../operation/field';
import { numericId } from '../../operation/values';

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
