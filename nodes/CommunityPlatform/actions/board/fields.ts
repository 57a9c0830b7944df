import { nameText, oneOf, permission } from '../../../shared/values';
import { HIDDEN_TYPE, PERMISSION_FOR } from '../../../shared/records/codes';
import { textField } from '../common';
import { rules, type Field } from '../field';

export const boardName = textField('Name', 'boardName', 'board_name', {
	required: true,
	placeholder: 'e.g. Announcements',
	description: 'Name of the board',
	[rules]: { convert: nameText },
});

export const isPrivate: Field = {
	displayName: 'Private',
	name: 'isPrivate',
	type: 'boolean',
	default: false,
	required: true,
	description:
		"Whether only members of the board can use it. If off, everyone can. 'Visible To' sets who can see it.",
	routing: { send: { type: 'body', property: 'is_private' } },
};

const whoCanSee = [
	{ name: 'Everyone', value: 0, description: 'Including guests who are not logged in' },
	{ name: 'Any Logged-In Member', value: 1 },
	{ name: 'Only Members of the Board', value: 2 },
];

export const hiddenType: Field = {
	displayName: 'Visible To',
	name: 'hiddenType',
	type: 'options',
	default: 0,
	required: true,
	description: "Who can see the board. 'Private' sets who can use it.",
	options: whoCanSee,
	routing: { send: { type: 'body', property: 'hidden_type' } },
	[rules]: { convert: oneOf(whoCanSee, HIDDEN_TYPE) },
};

const whoCanPost = [
	{ name: 'Admins and Moderators', value: 5 },
	{ name: 'Any Member of the Community', value: 10 },
	{ name: 'Only Admins', value: 1 },
];

export const permissionFor: Field = {
	displayName: 'Who Can Post',
	name: 'permissionFor',
	type: 'options',
	default: 10,
	required: true,
	description: 'Who can post in the board',
	options: whoCanPost,
	routing: { send: { type: 'body', property: 'permission_for' } },
	[rules]: { convert: permission(whoCanPost, PERMISSION_FOR) },
};

export const needsApproval: Field = {
	displayName: 'Needs Approval',
	name: 'needsApproval',
	type: 'boolean',
	default: false,
	required: true,
	description: 'Whether posts need approval',
	routing: { send: { type: 'body', property: 'needs_approval' } },
};

export const about = textField('About', 'about', 'about', {
	placeholder: 'e.g. News from the team',
	description: 'Description of the board',
});

export const icon = textField('Icon', 'icon', 'icon', {
	placeholder: 'e.g. https://example.com/news.png',
	description: 'Icon of the board',
});
