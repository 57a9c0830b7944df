import type { INodeProperties } from 'n8n-workflow';
import { Failure } from '../../../shared/failure';
import type { Input } from '../../input/readInput';
import { boardLocator } from '../locators';

export const fields: INodeProperties[] = [
	boardLocator,
	{
		displayName: 'Add Members',
		name: 'addMembers',
		type: 'string',
		default: '',
		placeholder: 'e.g. 42.a1b2c3, 43.d4e5f6',
		description:
			'The msids of the users who get access to the private board, separated by commas, or an array from an expression',
		routing: {
			send: { type: 'body', property: 'member_changes', propertyInDotNotation: false },
		},
	},
	{
		displayName: 'Remove Members',
		name: 'removeMembers',
		type: 'string',
		default: '',
		placeholder: 'e.g. 44.g7h8i9',
		description:
			'The msids of the users who lose access to the private board, separated by commas, or an array from an expression',
		routing: {
			send: { type: 'body', property: 'member_changes', propertyInDotNotation: false },
		},
	},
];

/** @throws Failure when neither list names a member */
export function requireMembers({ body }: Input): void {
	if (Object.keys(body.member_changes ?? {}).length > 0) return;
	throw new Failure(
		'No member was named',
		'Give at least one msid in "Add Members" or in "Remove Members".',
	);
}
