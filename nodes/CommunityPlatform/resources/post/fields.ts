import type { INodeProperties } from 'n8n-workflow';
import { authorLocator, boardLocator } from '../locators';

export const postId: INodeProperties = {
	displayName: 'Post ID',
	name: 'postId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'The number of the post',
};

export const board: INodeProperties = {
	...boardLocator,
	description: 'The board that the post belongs to',
	routing: { send: { type: 'body', property: 'board_id' } },
};

export const headline: INodeProperties = {
	displayName: 'Headline',
	name: 'headline',
	type: 'string',
	default: '',
	placeholder: 'e.g. Welcome to our new members',
	routing: { send: { type: 'body', property: 'headline' } },
};

export const content: INodeProperties = {
	displayName: 'Content',
	name: 'content',
	type: 'string',
	default: '',
	typeOptions: { rows: 4 },
	placeholder: 'e.g. Say hello to everyone who joined this week.',
	routing: { send: { type: 'body', property: 'content' } },
};

export const author: INodeProperties = {
	...authorLocator,
	// Of the list that the API takes, only the first one sets the author.
	routing: { send: { type: 'body', property: 'authors[0]' } },
};
