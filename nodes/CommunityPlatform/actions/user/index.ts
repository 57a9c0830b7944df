import { selectableFields } from '../../../shared/records/form';
import { userDetail, userDetailWithEmail, userList, userSelf } from '../../../shared/records/types';
import { email } from '../../../shared/values';
import {
	additionalFields,
	keepOtherFields,
	sortCollection,
	textField,
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
import { hiddenFields } from './hiddenFields';
import { rules, type Input } from '../field';
import { nameKey } from '../../input/identifiers';

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create member',
	description: 'Create a new member',
	effect: 'creates',
	request: { method: 'POST', url: '/users' },
	hasRole: true,
	record: userSelf,
	adviceIfTaken: "If the member already exists, use 'Create or Get'.",
	createsOne: ({ values }) => nameKey('email', values.email),
	fields: [
		firstName,
		textField('Email', 'email', 'email', {
			required: true,
			placeholder: 'e.g. ada@example.com',
			description: "The member's email address, which should already be verified",
			[rules]: { convert: email },
		}),
		additionalFields([
			userAvatar,
			lang,
			lastName,
			middleName,
			textField('SSO ID', 'ssoId', 'sso_id', {
				placeholder: 'e.g. 00u1a2b3c4',
				description:
					"The member's single sign-on (SSO) ID. If the community uses SSO, enter it to avoid duplicate accounts.",
			}),
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
	description:
		'Create a new member or, if the API refuses the email address, get the existing one. With single sign-on, enter the SSO ID.',
	builderHint:
		'Choose this after a form or a payment, if the person may already be a member. A new member takes one request, and the item of an existing one has created: false.',
	strategy: { name: 'createOrGet' },
	// So that new and existing members have the same fields. In raw data, each has those of its own form.
	record: {
		...userDetailWithEmail,
		returned: [userSelf, userDetailWithEmail].flatMap(selectableFields),
	},
	adviceIfTaken: undefined,
};

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get member',
	description: 'Retrieve a member by ID, username or email',
	effect: 'reads',
	request: { method: 'GET', url: '/users/{userId}' },
	leavesOut: 'member',
	hasRole: true,
	record: userDetailWithEmail,
	fields: [userToReadLocator],
};

const sortOptions = [
	{ name: 'Joined', value: 'joined' },
	{ name: 'Name', value: 'name' },
	{ name: 'Member ID', value: 'user_id' },
];

function activeOnly({ status }: Input['values']): string[] {
	return status === undefined
		? ["Only active members are included. For others, add the filter 'Status'."]
		: [];
}

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many members',
	description: 'Retrieve a list of members',
	builderHint:
		'Returns active members unless filters.status is set (4 is the wait-list, all is any status). Use filters.roleId for a role, filters.joinedAfter for new members, and a Filter node after it for anything else. Set returnAll to get everyone. For post_count or email, set options.includeDetails instead of adding a node that reads each member.',
	effect: 'reads',
	request: { method: 'GET', url: '/users' },
	hasRole: true,
	strategy: {
		name: 'listing',
		queries: perStatus,
		filter: listingFilterOf,
		detail: userDetailWithEmail,
	},
	record: userList,
	hints: ({ values }) => activeOnly(values),
	fields: [
		filters,
		sortCollection(
			'desc',
			'user_id',
			sortOptions,
			"To sort by posts, turn on 'Include Details' and add n8n's Sort node after this node",
		),
	],
};

const getCount: Operation = {
	name: 'Get Count',
	value: 'getCount',
	action: 'Get count of members',
	description: 'Count members, in total and by role',
	effect: 'reads',
	request: { method: 'GET', url: '/users' },
	strategy: { name: 'count', queries: perStatus, filter: listingFilterOf },
	hints: ({ values }) => activeOnly(values),
	fields: [filters],
};

const getSelf: Operation = {
	name: 'Get Own Details',
	value: 'getSelf',
	action: 'Get own member details',
	description: 'Retrieve the member whose API key is in the credential',
	effect: 'reads',
	request: { method: 'GET', url: '/users/me' },
	hasRole: true,
	record: userSelf,
	fields: [],
};

const changes = updateFields([
	userAvatar,
	banner,
	textField('Description', 'userDescription', 'user_description', {
		typeOptions: { rows: 4 },
		placeholder: 'e.g. Mathematician and writer',
		description: "The text in the member's profile, which can contain HTML",
	}),
	firstName,
	lang,
	lastName,
	middleName,
	socialMediaLinks,
	timezone,
	username,
]);

const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update member',
	description: 'Update a member by ID, username or email',
	builderHint: "Updates a member's profile. To change the role, choose updateRole.",
	effect: 'sets',
	request: { method: 'PUT', url: '/users/{userId}' },
	leavesOut: 'member',
	hasRole: true,
	strategy: { name: 'replace' },
	record: userDetail,
	fields: [userLocator, changes, keepOtherFields, ...hiddenFields(changes)],
};

const updateRole: Operation = {
	name: 'Update Role',
	value: 'updateRole',
	action: 'Update member role',
	description: "Replace a member's role. Finds the member by ID, username or email.",
	builderHint: 'The only operation that changes a role. Takes the msid, username or email address.',
	// 101 means "update role" (docs/api/openapi.yaml, `user.updateRole`).
	effect: 'sets',
	request: { method: 'PATCH', url: '/users/{userId}', body: { action: 101 } },
	leavesOut: 'member',
	hasRole: true,
	strategy: { name: 'updateRole' },
	// Only the status is read, because the API does not document its answer (docs/api/openapi.yaml, `user.updateRole`).
	acknowledged: {
		member: ({ values }) => String(values.userId),
		values: ({ values }) => ({ role_id: values.roleId as number, success: true }),
	},
	fields: [
		userLocator,
		{ ...roleLocator, routing: { send: { type: 'body', property: 'data.role_id' } } },
		additionalFields([
			textField('Details', 'details', 'details', {
				placeholder: 'e.g. Promoted for 25 posts',
				description: 'A note about the change',
				[rules]: { isRemark: true },
			}),
		]),
	],
};

export const user: Resource = {
	name: 'Member',
	description: 'Members of the community',
	value: 'user',
	initial: getAll,
	operations: [create, createOrGet, get, getCount, getAll, getSelf, update, updateRole],
};
