import type { IDataObject } from 'n8n-workflow';
import { isIdentifier, isMsid } from '../../shared/records/identity';
import { post as record } from '../../shared/records/types';
import { postNumber } from '../input/identifiers';
import { filledText } from '../../shared/values';
import { keepOtherFields, textField, updateFields } from './common';
import {
	contentField,
	contentType,
	hintsAboutContent,
	replacedContent,
	toHtmlContent,
} from './contentField';
import { authorLocator, boardLocator } from './locators';
import type { Operation, Resource } from './operation';
import { rules, type Field } from './field';

export const postId: Field = {
	displayName: 'Post ID',
	name: 'postId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'ID of the post, or its URL',
	hint: "Drag in 'post_id' from an input item, or paste the post's URL",
	[rules]: { convert: postNumber, isIdentifier: true, idField: 'post_id' },
};

const board: Field = {
	...boardLocator,
	description: 'The board that the post belongs to',
	routing: { send: { type: 'body', property: 'board_id' } },
	[rules]: {
		...boardLocator[rules],
		valueToPreserve: ({ board_id: id }) => (isIdentifier(id) ? String(id) : undefined),
	},
};

const headline = textField('Headline', 'headline', 'headline', {
	required: true,
	placeholder: 'e.g. Welcome to our new members',
	[rules]: { convert: filledText },
});

const content = contentField('Say hello to everyone who joined this week.');

const author: Field = {
	...authorLocator,
	// The API takes a list, but only its first item sets the author.
	routing: { send: { type: 'body', property: 'authors[0]' } },
	[rules]: {
		...authorLocator[rules],
		requiredInUpdate: true,
		valueToPreserve: ({ user }) => {
			const { msid } = (user ?? {}) as IDataObject;
			return isMsid(msid) ? [msid] : undefined;
		},
	},
};

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create post',
	description: 'Create a new post on a board',
	effect: 'creates',
	request: { method: 'POST', url: '/posts' },
	record,
	check: toHtmlContent,
	hints: hintsAboutContent,
	fields: [board, headline, contentType, content, author],
};

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get post',
	description: 'Retrieve a post',
	effect: 'reads',
	request: { method: 'GET', url: '/posts/{postId}' },
	record,
	fields: [postId],
};

const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update post',
	description: 'Update a post. Replaces the whole text of each field you set.',
	effect: 'sets',
	request: { method: 'PUT', url: '/posts/{postId}' },
	strategy: { name: 'replace' },
	record,
	check: toHtmlContent,
	hints: hintsAboutContent,
	fields: [
		postId,
		updateFields([author, board, replacedContent(content), contentType, headline]),
		keepOtherFields,
	],
};

export const post: Resource = {
	name: 'Post',
	value: 'post',
	initial: create,
	operations: [create, get, update],
};
