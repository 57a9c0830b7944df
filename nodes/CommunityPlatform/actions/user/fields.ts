import type { INodePropertyOptions } from 'n8n-workflow';
import { trimmed } from '../../../shared/text';
import { USER_STATUS } from '../../../shared/records/codes';
import { nameText, objectLike, text } from '../../input/values';
import { rules, type Field } from '../../input/field';

export const firstName: Field = {
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Ada',
	routing: { send: { type: 'body', property: 'first_name' } },
	[rules]: { convert: nameText },
};

export const middleName: Field = {
	displayName: 'Middle Name',
	name: 'middleName',
	type: 'string',
	default: '',
	placeholder: 'e.g. King',
	routing: { send: { type: 'body', property: 'middle_name' } },
	[rules]: { isNeverReturned: true },
};

export const lastName: Field = {
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Lovelace',
	routing: { send: { type: 'body', property: 'last_name' } },
	[rules]: { isNeverReturned: true },
};

export const username: Field = {
	displayName: 'Username',
	name: 'username',
	type: 'string',
	default: '',
	placeholder: 'e.g. ada_l',
	description: "The member's handle, without spaces or special characters. Case does not matter.",
	routing: { send: { type: 'body', property: 'username' } },
	[rules]: {
		isNeverEmpty: true,
		convert: (value, label) => trimmed(text(value, label)),
		isSame: (a, b) => trimmed(a).toLowerCase() === trimmed(b).toLowerCase(),
	},
};

export const userAvatar: Field = {
	displayName: 'Avatar URL',
	name: 'userAvatar',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/ada.png',
	description: 'URL of the avatar image',
	routing: { send: { type: 'body', property: 'user_avatar' } },
};

export const lang: Field = {
	displayName: 'Language',
	name: 'lang',
	type: 'string',
	default: 'en',
	placeholder: 'e.g. en',
	description: 'Language code that the community supports',
	routing: { send: { type: 'body', property: 'lang' } },
	[rules]: { isNeverReturned: true },
};

export const timezone: Field = {
	displayName: 'Timezone',
	name: 'timezone',
	type: 'string',
	default: 'UTC',
	placeholder: 'e.g. Europe/Berlin',
	description: 'Timezone that the community supports',
	routing: { send: { type: 'body', property: 'timezone' } },
	[rules]: { isNeverReturned: true },
};

export const banner: Field = {
	displayName: 'Banner URL',
	name: 'banner',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/banner.png',
	description: 'URL of the banner image',
	routing: { send: { type: 'body', property: 'banner' } },
	[rules]: { isNeverReturned: true },
};

export const socialMediaLinks: Field = {
	displayName: 'Social Media Links',
	name: 'socialMediaLinks',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "<network>": "https://example.com/ada" }',
	description: 'A JSON object with a profile URL for each network',
	routing: { send: { type: 'body', property: 'social_media_links' } },
	[rules]: {
		isNeverReturned: true,
		convert: objectLike('{ "<network>": "https://example.com/ada" }'),
	},
};

// With a hyphen, as everywhere else. The API's code has none.
const LABELS: Record<string, string> = { WAITLIST: 'Wait-List' };

const codes: INodePropertyOptions[] = Object.entries(USER_STATUS).map(([value, name]) => ({
	name: LABELS[name] ?? name.charAt(0) + name.slice(1).toLowerCase(),
	value: Number(value),
}));

/** The options of the filter 'Status', with 'All', in alphabetical order. */
export const statusOptions: INodePropertyOptions[] = [
	...codes,
	{ name: 'All', value: 'all', description: 'Members with any status, one status after another' },
].sort((a, b) => a.name.localeCompare(b.name));
