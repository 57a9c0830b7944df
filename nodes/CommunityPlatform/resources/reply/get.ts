import type { INodeProperties } from 'n8n-workflow';
import { replyId } from './fields';

export const fields: INodeProperties[] = [replyId];
