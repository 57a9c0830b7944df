import type { INodeProperties } from 'n8n-workflow';
import { boardLocator } from '../locators';

export const fields: INodeProperties[] = [boardLocator];
