import type { INodeProperties } from 'n8n-workflow';

export const firstName: INodeProperties = {
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Ada',
	routing: { send: { type: 'body', property: 'first_name' } },
};

export const middleName: INodeProperties = {
	displayName: 'Middle Name',
	name: 'middleName',
	type: 'string',
	default: '',
	placeholder: 'e.g. King',
	routing: { send: { type: 'body', property: 'middle_name' } },
};

export const lastName: INodeProperties = {
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Lovelace',
	routing: { send: { type: 'body', property: 'last_name' } },
};

export const username: INodeProperties = {
	displayName: 'Username',
	name: 'username',
	type: 'string',
	default: '',
	placeholder: 'e.g. ada_l',
	description: 'Handle of the user, without spaces or special characters. Case does not matter.',
	routing: { send: { type: 'body', property: 'username' } },
};

export const userAvatar: INodeProperties = {
	displayName: 'Avatar URL',
	name: 'userAvatar',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/ada.png',
	description: 'Address of the avatar image',
	routing: { send: { type: 'body', property: 'user_avatar' } },
};

export const lang: INodeProperties = {
	displayName: 'Language',
	name: 'lang',
	type: 'string',
	default: 'en',
	placeholder: 'e.g. en',
	description: 'Language code, from the list that the community supports',
	routing: { send: { type: 'body', property: 'lang' } },
};

export const timezone: INodeProperties = {
	displayName: 'Timezone',
	name: 'timezone',
	type: 'string',
	default: 'UTC',
	placeholder: 'e.g. Europe/Berlin',
	description: 'Timezone, from the list that the community supports',
	routing: { send: { type: 'body', property: 'timezone' } },
};
