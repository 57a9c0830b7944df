import { propertyHint } from '../../../shared/builder/hints';
import { userDetailWithEmail, userList } from '../../../shared/records/types';
import { meaning } from '../../input/field';
import { oneOf } from '../../input/values';
import type { Input } from '../../input/input';
import type { Operation } from '../operation';
import { sortCollection } from '../sort';
import { statusCodes, statusOptions } from './status';

const sortOptions = [
	{ name: 'Joined', value: 'joined' },
	{ name: 'Name', value: 'name' },
	{ name: 'User ID', value: 'user_id' },
];

export const getAll: Operation = {
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
	inTurn: { field: 'status', values: statusCodes },
	detail: { url: '/users/{id}', record: userDetailWithEmail },
	hints: ({ values, argumentFor }) => [
		...(values.status === undefined ? [activeOnly(argumentFor)] : []),
		// A model can read a single user instead.
		...(values.includeDetails === true || argumentFor
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
			// The name of the field in a user record.
			[meaning]: { read: oneOf(sortOptions, { created_at: 'joined' }) },
		}),
	],
};

function activeOnly(argumentFor: Input['argumentFor']): string {
	if (!argumentFor) return 'Active members only. Add Filters → Status for others.';
	const status = argumentFor('status');
	return status === undefined
		? 'Active members only, as this tool gives no others.'
		: `Active members only: call again with "all" in ${status} for others, too.`;
}
