import type { INodeProperties } from 'n8n-workflow';
import { commentId, content } from './fields';

export const fields: INodeProperties[] = [commentId, content];
