import { userSelf } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { additionalFields } from '../collections';
import { firstName, lang, lastName, middleName, timezone, userAvatar, username } from './fields';
import { meaning } from '../../input/field';
import { email } from '../../input/values';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create user by first name and email',
	description: 'Create a new user',
	request: { method: 'POST', url: '/users' },
	strategy: 'one',
	record: userSelf,
	hasRole: true,
	fields: [
		firstName,
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. ada@example.com',
			description: 'Email address of the user; the API expects it to be verified already',
			routing: { send: { type: 'body', property: 'email' } },
			[meaning]: { read: email },
		},
		additionalFields([
			userAvatar,
			lang,
			lastName,
			middleName,
			{
				displayName: 'SSO ID',
				name: 'ssoId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 00u1a2b3c4',
				description:
					'Identifier of the user in your single sign-on. Give it when the community uses single sign-on; otherwise duplicate accounts can result.',
				routing: { send: { type: 'body', property: 'sso_id' } },
			},
			timezone,
			username,
		]),
	],
};
