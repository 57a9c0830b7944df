import type { INodeProperties } from 'n8n-workflow';
import { commentId } from './fields';

export const fields: INodeProperties[] = [commentId];
