import type { Operation } from '../../operation/operation';
import { Failure } from '../../../shared/failures/failure';
import type { Input } from '../../operation/readInput';
import { boardLocator } from '../locators';
import { meaning } from '../../operation/field';
import { memberChanges } from '../../operation/values';

export const updateMembers: Operation = {
	name: 'Update Members',
	value: 'updateMembers',
	action: 'Update the members of a private board',
	description: 'Give users access to a private board, or take it away',
	request: { method: 'PUT', url: '/boards/{boardId}/members' },
	way: 'one',
	check: requireMembers,
	identify: ({ values }) => ({ board_id: Number(values.boardId) }),
	fields: [
		boardLocator,
		{
			displayName: 'Add Members',
			name: 'addMembers',
			type: 'string',
			default: '',
			placeholder: 'e.g. 42.a1b2c3, 43.d4e5f6',
			description:
				'The msids of the users who get access to the private board, separated by commas, or an array from an expression',
			routing: { send: { type: 'body', property: 'member_changes' } },
			[meaning]: { read: memberChanges(true) },
		},
		{
			displayName: 'Remove Members',
			name: 'removeMembers',
			type: 'string',
			default: '',
			placeholder: 'e.g. 44.g7h8i9',
			description:
				'The msids of the users who lose access to the private board, separated by commas, or an array from an expression',
			routing: { send: { type: 'body', property: 'member_changes' } },
			[meaning]: { read: memberChanges(false) },
		},
	],
};

/** @throws Failure when neither list names a member */
export function requireMembers({ body }: Input): void {
	if (Object.keys(body.member_changes ?? {}).length > 0) return;
	throw new Failure(
		'No member was named',
		'Give at least one msid in "Add Members" or in "Remove Members".',
	);
}
