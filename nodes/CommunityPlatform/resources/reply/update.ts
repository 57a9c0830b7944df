import type { INodeProperties } from 'n8n-workflow';
import { content } from '../comment/fields';
import { replyId } from './fields';

export const fields: INodeProperties[] = [replyId, content];
