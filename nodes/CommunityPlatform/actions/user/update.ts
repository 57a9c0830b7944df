import { propertyHint } from '../../../shared/builder/hints';
import { userDetail } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { userLocator } from '../locators';
import { allHiddenFields, hiddenFields, keepShownFields, updateFields } from '../collections';
import { firstName, lang, lastName, middleName, timezone, userAvatar, username } from './fields';
import type { Field } from '../../input/field';
import { meaning } from '../../input/field';
import { objectLike } from '../../input/values';

const banner: Field = {
	displayName: 'Banner URL',
	name: 'banner',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/banner.png',
	description: 'Address of the banner image',
	routing: { send: { type: 'body', property: 'banner' } },
	[meaning]: { isNeverShown: true },
};

const socialMediaLinks: Field = {
	displayName: 'Social Media Links',
	name: 'socialMediaLinks',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "<network>": "https://example.com/ada" }',
	description: 'A JSON object with the address of a profile for each network',
	routing: { send: { type: 'body', property: 'social_media_links' } },
	[meaning]: {
		isNeverShown: true,
		read: objectLike('{ "<network>": "https://example.com/ada" }'),
	},
};

const changes = updateFields([
	allHiddenFields([banner, lang, lastName, middleName, socialMediaLinks, timezone]),
	userAvatar,
	banner,
	{
		displayName: 'Description',
		name: 'userDescription',
		type: 'string',
		default: '',
		typeOptions: { rows: 4 },
		placeholder: 'e.g. Mathematician and writer',
		description: 'What the profile says about the user; may contain HTML',
		routing: { send: { type: 'body', property: 'user_description' } },
	},
	firstName,
	lang,
	lastName,
	middleName,
	socialMediaLinks,
	timezone,
	username,
]);

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update user by msid or user number',
	description: 'Change the details of a user',
	builderHint: propertyHint('Changes the profile of a user. For another role, choose updateRole.'),
	request: { method: 'PUT', url: '/users/{userId}' },
	strategy: 'replace',
	record: userDetail,
	hasRole: true,
	identify: ({ values }) => ({ msid: values.userId as string }),
	fields: [userLocator, keepShownFields, ...hiddenFields(changes), changes],
};
