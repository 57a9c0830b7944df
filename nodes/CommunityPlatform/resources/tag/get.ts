import type { INodeProperties } from 'n8n-workflow';
import { tagLocator } from '../locators';

export const fields: INodeProperties[] = [tagLocator];
