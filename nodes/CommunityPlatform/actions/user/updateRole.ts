import { propertyHint } from '../../../shared/builder/hints';
import type { Operation } from '../operation';
import { additionalFields } from '../collections';
import { roleLocator, userLocator } from '../locators';

export const updateRole: Operation = {
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
