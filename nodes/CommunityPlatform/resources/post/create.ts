import type { INodeProperties } from 'n8n-workflow';
import { author, board, content, headline } from './fields';

export const fields: INodeProperties[] = [
	board,
	{ ...headline, required: true },
	{ ...content, required: true },
	author,
];
