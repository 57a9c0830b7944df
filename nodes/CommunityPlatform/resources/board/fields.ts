import type { INodeProperties } from 'n8n-workflow';

export const boardName: INodeProperties = {
	displayName: 'Name',
	name: 'boardName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Announcements',
	description: 'Name of the board',
	routing: { send: { type: 'body', property: 'board_name' } },
};

export const isPrivate: INodeProperties = {
	displayName: 'Private',
	name: 'isPrivate',
	type: 'boolean',
	default: false,
	description: 'Whether only users who are part of the board can use it',
	routing: { send: { type: 'body', property: 'is_private' } },
};

export const hiddenType: INodeProperties = {
	displayName: 'Visible To',
	name: 'hiddenType',
	type: 'options',
	default: 0,
	description: 'Who can see the board',
	options: [
		{ name: 'All Users', value: 0, description: 'Guests can see the board too' },
		{ name: 'Any Logged-in Member', value: 1 },
		{ name: 'Only Users Who Are Part of the Board', value: 2 },
	],
	routing: { send: { type: 'body', property: 'hidden_type' } },
};

export const permissionFor: INodeProperties = {
	displayName: 'Who Can Post',
	name: 'permissionFor',
	type: 'options',
	default: 10,
	description:
		'Who may post in the board. The API has announced that it will take a list of role IDs: an array from an expression is sent as it is.',
	options: [
		{ name: 'Admins and Moderators', value: 5 },
		{ name: 'Any Member of the Community', value: 10 },
		{ name: 'Only Admins', value: 1 },
	],
	routing: { send: { type: 'body', property: 'permission_for' } },
};

export const needsApproval: INodeProperties = {
	displayName: 'Needs Approval',
	name: 'needsApproval',
	type: 'boolean',
	default: false,
	description: 'Whether a user needs approval to post in the board',
	routing: { send: { type: 'body', property: 'needs_approval' } },
};

export const about: INodeProperties = {
	displayName: 'About',
	name: 'about',
	type: 'string',
	default: '',
	placeholder: 'e.g. News from the team',
	description: 'Description of the board',
	routing: { send: { type: 'body', property: 'about' } },
};

export const icon: INodeProperties = {
	displayName: 'Icon',
	name: 'icon',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/news.png',
	description: 'Icon of the board in the community',
	routing: { send: { type: 'body', property: 'icon' } },
};
