import { userDetail, userDetailWithEmail, userList, userSelf } from '../../../shared/records/types';
import type { ReadValue } from '../../input/values';
import { email, oneOf } from '../../input/values';
import { additionalFields, keepShownFields, sortCollection, updateFields } from '../common';
import { propertyHint } from '../../../shared/builderHints';
import { roleLocator, userLocator, userToReadLocator } from '../locators';
import type { Operation, Resource } from '../operation';
import { rules } from '../operation';
import {
	banner,
	firstName,
	lang,
	lastName,
	middleName,
	socialMediaLinks,
	statusCodes,
	statusOptions,
	timezone,
	userAvatar,
	username,
} from './fields';
import { hiddenFields, withoutValue } from './hiddenFields';

const create: Operation = {
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
			[rules]: { read: email },
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

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get user by msid or user number',
	description: 'Get the details of one user',
	request: { method: 'GET', url: '/users/{userId}' },
	strategy: 'one',
	record: userDetailWithEmail,
	hasRole: true,
	fields: [userToReadLocator],
};

const sortOptions = [
	{ name: 'Joined', value: 'joined' },
	{ name: 'Name', value: 'name' },
	{ name: 'User ID', value: 'user_id' },
];

// The field of a record that shows the time of joining.
const readSortBy: ReadValue = (value, label) =>
	oneOf(sortOptions)(value === 'created_at' ? 'joined' : value, label);

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many users',
	description: 'Get a list of users',
	builderHint: propertyHint(
		'Gives active users unless filters.status says otherwise (4 is the wait-list, all is any status). There is no other filter: put a Filter node behind it for anything else, such as role_id. Set returnAll to get everybody. For post_count or email, set options.includeDetails instead of adding a node that reads each user.',
	),
	request: { method: 'GET', url: '/users' },
	strategy: 'listing',
	record: userList,
	hasRole: true,
	oneRequestPerValue: { field: 'status', values: statusCodes },
	detail: { url: '/users/{id}', record: userDetailWithEmail },
	hints: ({ values, isTool }) => [
		...(values.status === undefined
			? ['Active members only. Add Filters → Status, e.g. all, for others.']
			: []),
		// A model can read a single user instead.
		...(values.includeDetails === true || isTool
			? []
			: [
					'A list shows neither the number of posts nor email addresses. Add Options → Include Details to get them.',
				]),
	],
	fields: [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					default: 10,
					description:
						'Only users with this status. Unless it is added, the API gives active users.',
					options: statusOptions,
					routing: { send: { type: 'query', property: 'status' } },
				},
			],
		},
		sortCollection('desc', {
			displayName: 'Sort By',
			name: 'sortBy',
			type: 'options',
			default: 'user_id',
			options: sortOptions,
			routing: { send: { type: 'query', property: 'sort_by' } },
			[rules]: { read: readSortBy },
		}),
	],
};

const getSelf: Operation = {
	name: 'Get Own Details',
	value: 'getSelf',
	action: 'Get own details',
	description: 'Get the user whose API key is in the credential',
	request: { method: 'GET', url: '/users/me' },
	strategy: 'one',
	record: userSelf,
	hasRole: true,
	fields: [],
};

const changes = updateFields([
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
	withoutValue([banner, lang, lastName, middleName, socialMediaLinks, timezone]),
]);

const update: Operation = {
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

const updateRole: Operation = {
	name: 'Update Role',
	value: 'updateRole',
	action: 'Update role by msid/number, role ID/name',
	description: 'Give a user another role, in place of the one that the user has',
	builderHint: propertyHint(
		'The only operation that changes a role. It needs the msid of the user, not an email address or a name.',
	),
	// 101 means "update role" (docs/api/README.md, "Patch user details").
	request: { method: 'PATCH', url: '/users/{userId}', body: { action: 101 } },
	strategy: 'updateRole',
	hasRole: true,
	// The API's answer is not documented (docs/api/README.md, "Patch user details"); only its status is read.
	identify: ({ values }) => ({ msid: values.userId as string }),
	valuesSet: ({ values }) => ({ role_id: values.roleId as number, success: true }),
	fields: [
		userLocator,
		{ ...roleLocator, routing: { send: { type: 'body', property: 'data.role_id' } } },
		additionalFields([
			{
				displayName: 'Details',
				name: 'details',
				type: 'string',
				default: '',
				placeholder: 'e.g. Promoted for 25 posts',
				description: 'A note that goes with the change',
				routing: { send: { type: 'body', property: 'details' } },
			},
		]),
	],
};

export const user: Resource = {
	name: 'User',
	description: 'Members of the community; the API calls them users',
	value: 'user',
	initial: getAll,
	operations: [create, get, getAll, getSelf, update, updateRole],
};
