import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../../shared/transport/failure';
import { isIdentifier } from '../../../shared/records/identity';
import type { Field } from '../../input/field';
import { contentField } from '../content';
import { authorLocator, boardLocator } from '../locators';
import { meaning } from '../../input/field';
import { postNumber } from '../../input/identifiers';
import { filledText } from '../../input/values';

export const postId: Field = {
	displayName: 'Post ID',
	name: 'postId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'The number of the post, or the address of its page',
	hint: 'Drag the field post_id from the item of the post, or paste the address of its page',
	[meaning]: { read: postNumber, isIdentifier: true },
};

export const board: Field = {
	...boardLocator,
	description: 'The board that the post belongs to',
	routing: { send: { type: 'body', property: 'board_id' } },
	[meaning]: {
		...boardLocator[meaning],
		keep: keptBoard,
	},
};

function keptBoard({ board_id: id }: IDataObject): string | undefined {
	if (id === undefined || id === null) return undefined;
	if (isIdentifier(id)) return String(id);
	throw new Failure(
		'The number of the board of this post is too large to be kept',
		'Give the post a "Board" under "Update Fields".',
	);
}

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

export const content = contentField('Say hello to everyone who joined this week.');

export const author: Field = {
	...authorLocator,
	// The API takes a list, of which only the first item sets the author.
	routing: { send: { type: 'body', property: 'authors[0]' } },
	[meaning]: {
		...authorLocator[meaning],
		keep: ({ user }) => {
			const { msid } = (user ?? {}) as IDataObject;
			return typeof msid === 'string' && isIdentifier(msid) ? [msid] : undefined;
		},
	},
};
