import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../../operation/field';
import { authorLocator, boardLocator } from '../locators';
import { meaning } from '../../operation/field';
import { filledText, memberId, numericId } from '../../operation/values';

export const postId: Field = {
	displayName: 'Post ID',
	name: 'postId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'The number of the post',
	[meaning]: { read: numericId },
};

export const board: Field = {
	...boardLocator,
	description: 'The board that the post belongs to',
	routing: { send: { type: 'body', property: 'board_id' } },
	[meaning]: {
		read: numericId,
		keep: ({ board_id: id }) => (id === undefined || id === null ? undefined : String(id)),
	},
};

export const headline: Field = {
	displayName: 'Headline',
	name: 'headline',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Welcome to our new members',
	routing: { send: { type: 'body', property: 'headline' } },
	[meaning]: { read: filledText },
};

export const content: Field = {
	displayName: 'Content',
	name: 'content',
	type: 'string',
	default: '',
	required: true,
	typeOptions: { rows: 4 },
	placeholder: 'e.g. Say hello to everyone who joined this week.',
	routing: { send: { type: 'body', property: 'content' } },
	[meaning]: { read: filledText },
};

export const author: Field = {
	...authorLocator,
	// Of the list that the API takes, only the first one sets the author.
	routing: { send: { type: 'body', property: 'authors[0]' } },
	[meaning]: {
		read: memberId,
		keep: ({ user }) => {
			const { msid } = (user ?? {}) as IDataObject;
			return typeof msid === 'string' ? [msid] : undefined;
		},
	},
};
