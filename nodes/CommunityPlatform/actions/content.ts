import { comment as commentRecord, reply as replyRecord } from '../../shared/records/types';
import { numberOf } from '../input/identifiers';
import {
	contentField,
	contentType,
	hintsAboutContent,
	replacedContent,
	toHtmlContent,
} from './contentField';
import { authorLocator } from './locators';
import type { Operation, Resource } from './operation';
import { postId } from './post';
import { rules, type Field } from './field';

const commentId: Field = {
	displayName: 'Comment ID',
	name: 'commentId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description:
		"ID of the comment, a number. It is 'comment_id' in the item of 'Create', and may be part of the comment's link.",
	hint: "Drag in 'comment_id' from an input item",
	[rules]: { convert: numberOf('comment'), isIdentifier: true, idField: 'comment_id' },
};

const replyId: Field = {
	displayName: 'Reply ID',
	name: 'replyId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description:
		"ID of the reply, a number. It is 'reply_id' in the item of 'Create', and may be part of the reply's link.",
	hint: "Drag in 'reply_id' from an input item",
	[rules]: { convert: numberOf('reply'), isIdentifier: true, idField: 'reply_id' },
};

const content = contentField('Thank you for sharing this.');
const author: Field = { ...authorLocator, routing: { send: { type: 'body', property: 'author' } } };

export const comment = resource({
	name: 'Comment',
	path: '/comments',
	record: commentRecord,
	id: commentId,
	description: 'Create a new comment on a post',
	parent: {
		...postId,
		description: 'ID of the post to comment on, or its URL',
		routing: { send: { type: 'body', property: 'post_id' } },
	},
});

export const reply = resource({
	name: 'Reply',
	path: '/replies',
	record: replyRecord,
	id: replyId,
	description: 'Create a new reply to a comment',
	parent: {
		...commentId,
		description: 'ID of the comment to reply to',
		routing: { send: { type: 'body', property: 'comment_id' } },
	},
});

/** Comments and replies share these operations: they are created below a parent, read, and changed in their content only. */
function resource(kind: {
	name: string;
	path: string;
	record: typeof commentRecord;
	id: Field;
	/** The description of 'Create'. */
	description: string;
	parent: Field;
}): Resource {
	const { name, path, record, id, description, parent } = kind;
	const value = name.toLowerCase();
	const url = `${path}/{${id.name}}`;
	const create: Operation = {
		name: 'Create',
		value: 'create',
		action: `Create ${value}`,
		description,
		effect: 'creates',
		request: { method: 'POST', url: path },
		record,
		check: toHtmlContent,
		hints: hintsAboutContent,
		fields: [parent, contentType, content, author],
	};
	const get: Operation = {
		name: 'Get',
		value: 'get',
		action: `Get ${value}`,
		description: `Retrieve a ${value}`,
		effect: 'reads',
		request: { method: 'GET', url },
		record,
		fields: [id],
	};
	const update: Operation = {
		name: 'Update',
		value: 'update',
		action: `Update ${value}`,
		description: `Update a ${value}. Replaces the whole text.`,
		effect: 'sets',
		request: { method: 'PUT', url },
		strategy: { name: 'replace' },
		record,
		check: toHtmlContent,
		hints: hintsAboutContent,
		fields: [id, contentType, replacedContent(content)],
	};
	return { name, value, initial: create, operations: [create, get, update] };
}
