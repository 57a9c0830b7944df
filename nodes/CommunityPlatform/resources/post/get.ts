import type { INodeProperties } from 'n8n-workflow';
import { postId } from './fields';

export const fields: INodeProperties[] = [postId];
