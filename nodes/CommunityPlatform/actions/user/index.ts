import { selectableFields } from '../../../shared/records/output';
import { userDetail, userDetailWithEmail, userList, userSelf } from '../../../shared/records/types';
import { email } from '../../input/values';
import {
	additionalFields,
	keepShownFields,
	sortCollection,
	sortKey,
	updateFields,
} from '../common';
import { roleLocator, userLocator, userToReadLocator } from '../locators';
import type { Operation, Resource } from '../operation';
import {
	banner,
	firstName,
	lang,
	lastName,
	middleName,
	socialMediaLinks,
	timezone,
	userAvatar,
	username,
} from './fields';
import { filters, listingFilterOf, perStatus } from './filters';
import { hiddenFields, withoutValue } from './hiddenFields';
import { rules, type Input } from '../../input/field';

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create member',
	description: 'Create a new user',
	request: { method: 'POST', url: '/users' },
	strategy: { name: 'one' },
	record: userSelf,
	adviceIfTaken: 'If the user exists already, use Create or Get.',
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

const createOrGet: Operation = {
	...create,
	name: 'Create or Get',
	value: 'createOrGet',
	action: 'Create or get member',
	description: 'Create a user, or get the one who has the email address already',
	builderHint:
		'Choose this behind a form or a payment, where the person may be a member already: a new user costs one request, and the item of an existing one says created: false.',
	strategy: { name: 'createOrGet' },
	// So that new and known members have the same fields; raw, each has those of its own form.
	record: {
		...userDetailWithEmail,
		shown: [userSelf, userDetailWithEmail].flatMap(selectableFields),
	},
	adviceIfTaken: undefined,
};

const NEVER_SHOWN =
	'Never shown, maybe set: last and middle name, language, timezone, banner, links.';

const NEVER_SHOWN_TO_OWNER = 'Never shown, maybe set: language, timezone, banner, links.';

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get member',
	description: 'Get the details of one user, by ID, username or email',
	request: { method: 'GET', url: '/users/{userId}' },
	strategy: { name: 'one' },
	record: userDetailWithEmail,
	hints: ({ isTool }, owner) => (isTool ? [owner ? NEVER_SHOWN_TO_OWNER : NEVER_SHOWN] : []),
	fields: [userToReadLocator],
};

const sortOptions = [
	{ name: 'Joined', value: 'joined' },
	{ name: 'Name', value: 'name' },
	{ name: 'Member ID', value: 'user_id' },
];

function activeOnly({ status }: Input['values']): string[] {
	return status === undefined
		? ["Active members only: set the filter 'Status' for others, e.g. to all."]
		: [];
}

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many members',
	description: 'Get a list of users',
	builderHint:
		'Gives active users unless filters.status says otherwise (4 is the wait-list, all is any status). Use filters.roleId for a role and filters.joinedAfter for new members; put a Filter node behind it for anything else. Set returnAll to get everybody. For post_count or email, set options.includeDetails instead of adding a node that reads each user.',
	request: { method: 'GET', url: '/users' },
	strategy: {
		name: 'listing',
		queries: perStatus,
		filter: listingFilterOf,
		detail: userDetailWithEmail,
	},
	record: userList,

	hints: ({ values, isTool }) => [
		...activeOnly(values),
		// A model is told what lists leave out.
		...(values.includeDetails === true || values.fields || isTool
			? []
			: [
					'A list shows neither the number of posts nor email addresses. Add Options → Include Details to get them.',
				]),
	],
	fields: [
		filters,
		sortCollection('desc', {
			displayName: 'Sort By',
			name: 'sortBy',
			type: 'options',
			default: 'user_id',
			options: sortOptions,
			routing: { send: { type: 'query', property: 'sort_by' } },
			[rules]: {
				read: sortKey(sortOptions, { created_at: 'joined', username: 'name', first_name: 'name' }),
			},
		}),
	],
};

const getCount: Operation = {
	name: 'Get Count',
	value: 'getCount',
	action: 'Count members by role',
	description: 'Count users, in all and by role',
	request: { method: 'GET', url: '/users' },
	strategy: { name: 'count', queries: perStatus, filter: listingFilterOf },

	hints: ({ values }) => activeOnly(values),
	fields: [filters],
};

const getSelf: Operation = {
	name: 'Get Own Details',
	value: 'getSelf',
	action: 'Get own member',
	description: 'Get the user whose API key is in the credential',
	request: { method: 'GET', url: '/users/me' },
	strategy: { name: 'one' },
	record: userSelf,
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
	action: 'Update member',
	description: 'Change the details of a user, named by ID, username or email',
	builderHint: 'Changes the profile of a user. For another role, choose updateRole.',
	request: { method: 'PUT', url: '/users/{userId}' },
	strategy: { name: 'replace' },
	record: userDetail,
	fields: [userLocator, keepShownFields, ...hiddenFields(changes), changes],
};

const updateRole: Operation = {
	name: 'Update Role',
	value: 'updateRole',
	action: 'Update member role',
	description:
		'Give a user another role, in place of the present one; the user by ID, username or email, the role by ID or name',
	builderHint:
		'The only operation that changes a role. The user is given by msid, username or email address.',
	// 101 means "update role" (docs/api/README.md, "Patch user details").
	request: { method: 'PATCH', url: '/users/{userId}', body: { action: 101 } },
	strategy: { name: 'updateRole' },
	// The API's answer is not documented (docs/api/README.md, "Patch user details"); only its status is read.
	acknowledged: {
		member: ({ values }) => values.userId,
		values: ({ values }) => ({ role_id: values.roleId as number, success: true }),
	},
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
	name: 'Member',
	description: 'Members of the community; the API calls them users',
	value: 'user',
	initial: getAll,
	operations: [create, createOrGet, get, getCount, getAll, getSelf, update, updateRole],
};
