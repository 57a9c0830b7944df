import type { INodePropertyOptions } from 'n8n-workflow';
import { trimmed } from '../../../shared/text';
import { USER_STATUS } from '../../../shared/records/codes';
import { nameText, objectLike } from '../../../shared/values';
import { textField } from '../common';
import { rules, type Field } from '../field';

export const firstName = textField('First Name', 'firstName', 'first_name', {
	required: true,
	placeholder: 'e.g. Ada',
	[rules]: { convert: nameText },
});

export const middleName = textField('Middle Name', 'middleName', 'middle_name', {
	placeholder: 'e.g. King',
	[rules]: { isNeverReturned: true },
});

export const lastName = textField('Last Name', 'lastName', 'last_name', {
	placeholder: 'e.g. Lovelace',
	[rules]: { isNeverReturned: true },
});

export const username = textField('Username', 'username', 'username', {
	placeholder: 'e.g. ada_l',
	description: "The member's handle, without spaces or special characters. Case does not matter.",
	[rules]: {
		isNeverEmpty: true,
		format:
			'Use a username without spaces or special characters. In an update, an underscore (_) is allowed.',
		isSame: (a, b) => trimmed(a).toLowerCase() === trimmed(b).toLowerCase(),
	},
});

export const userAvatar = textField('Avatar URL', 'userAvatar', 'user_avatar', {
	placeholder: 'e.g. https://example.com/ada.png',
	description: 'URL of the avatar image',
});

export const lang = textField('Language', 'lang', 'lang', {
	default: 'en',
	placeholder: 'e.g. en',
	description: 'Language code that the community supports',
	[rules]: { isNeverReturned: true },
});

export const timezone = textField('Timezone', 'timezone', 'timezone', {
	default: 'UTC',
	placeholder: 'e.g. Europe/Berlin',
	description: 'Timezone that the community supports',
	[rules]: { isNeverReturned: true },
});

export const banner = textField('Banner URL', 'banner', 'banner', {
	placeholder: 'e.g. https://example.com/banner.png',
	description: 'URL of the banner image',
	[rules]: { isNeverReturned: true },
});

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
