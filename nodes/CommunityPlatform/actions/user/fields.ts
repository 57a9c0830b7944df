import type { Field } from '../../input/field';
import { meaning } from '../../input/field';
import { filledText } from '../../input/values';

export const firstName: Field = {
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Ada',
	routing: { send: { type: 'body', property: 'first_name' } },
	[meaning]: { read: filledText },
};

export const middleName: Field = {
	displayName: 'Middle Name',
	name: 'middleName',
	type: 'string',
	default: '',
	placeholder: 'e.g. King',
	routing: { send: { type: 'body', property: 'middle_name' } },
	[meaning]: { isNeverShown: true },
};

export const lastName: Field = {
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Lovelace',
	routing: { send: { type: 'body', property: 'last_name' } },
	[meaning]: { isNeverShown: true },
};

export const username: Field = {
	displayName: 'Username',
	name: 'username',
	type: 'string',
	default: '',
	placeholder: 'e.g. ada_l',
	description: 'Handle of the user, without spaces or special characters. Case does not matter.',
	routing: { send: { type: 'body', property: 'username' } },
};

export const userAvatar: Field = {
	displayName: 'Avatar URL',
	name: 'userAvatar',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/ada.png',
	description: 'Address of the avatar image',
	routing: { send: { type: 'body', property: 'user_avatar' } },
};

export const lang: Field = {
	displayName: 'Language',
	name: 'lang',
	type: 'string',
	default: 'en',
	placeholder: 'e.g. en',
	description: 'Language code, from the list that the community supports',
	routing: { send: { type: 'body', property: 'lang' } },
	[meaning]: { isNeverShown: true },
};

export const timezone: Field = {
	displayName: 'Timezone',
	name: 'timezone',
	type: 'string',
	default: 'UTC',
	placeholder: 'e.g. Europe/Berlin',
	description: 'Timezone, from the list that the community supports',
	routing: { send: { type: 'body', property: 'timezone' } },
	[meaning]: { isNeverShown: true },
};
