import type { INodeProperties } from 'n8n-workflow';
import { keepOtherFields, updateFields } from '../update';
import { author, board, content, headline, postId } from './fields';

export const fields: INodeProperties[] = [
	postId,
	keepOtherFields(),
	updateFields([author, board, content, headline]),
];
