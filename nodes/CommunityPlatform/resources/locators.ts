import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../operation/field';
import { meaning } from '../operation/field';
import type { ReadValue } from '../operation/values';
import { integerId, memberId, numericId } from '../operation/values';

function locator(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	read: ReadValue,
	listMethod: string,
	placeholder: string,
): Field {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		[meaning]: { read },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${withArticle(field.displayName.toLowerCase())}…`,
				typeOptions: { searchListMethod: listMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
		],
	};
}

function withArticle(noun: string): string {
	return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

export const boardLocator = locator(
	{ displayName: 'Board', name: 'boardId', description: 'The board to work with' },
	numericId,
	'searchBoards',
	'e.g. 42',
);

export const roleLocator = locator(
	{ displayName: 'Role', name: 'roleId', description: 'The role the user gets' },
	integerId,
	'searchRoles',
	'e.g. 3',
);

export const tagLocator = locator(
	{ displayName: 'Tag', name: 'tagId', description: 'The tag to work with' },
	numericId,
	'searchTags',
	'e.g. 42',
);

export const userLocator = locator(
	{
		displayName: 'User',
		name: 'userId',
		description:
			"The user to work with. The ID is the user's msid: the number and the code behind it, as every user item shows it.",
	},
	memberId,
	'searchUsers',
	'e.g. 42.a1b2c3',
);

export const authorLocator = locator(
	{
		displayName: 'Author',
		name: 'author',
		description:
			"The user in whose name this is written. The ID is the user's msid, as every user item shows it. Whether writing is allowed depends on the owner of the API key, not on the author.",
	},
	memberId,
	'searchUsers',
	'e.g. 42.a1b2c3',
);
