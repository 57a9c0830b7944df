import type { INodeProperties } from 'n8n-workflow';
import { userLocator } from '../locators';

export const fields: INodeProperties[] = [userLocator];
