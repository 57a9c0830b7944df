import type { IDataObject } from 'n8n-workflow';
import { propertyHint } from '../../../shared/builder/hints';
import { toNumberIfExact } from '../../input/numbers';
import type { Operation } from '../operation';
import type { Field } from '../../input/field';
import { Failure } from '../../../shared/transport/failure';
import type { Input } from '../../input/input';
import { boardLocator, userLocator } from '../locators';
import { meaning } from '../../input/field';
import { addedAndRemoved, memberChanges, memberRows } from './memberAccess';

const AS_TEXT: Pick<Field, 'displayOptions'> = {
	displayOptions: { show: { membersInput: ['text'] } },
};

export const updateMembers: Operation = {
	name: 'Update Members',
	value: 'updateMembers',
	action: 'Update board members: msids/user numbers',
	description: 'Give users access to a private board, or take it away',
	builderHint: propertyHint('For private boards only. It takes msids of users.'),
	request: { method: 'PUT', url: '/boards/{boardId}/members' },
	strategy: 'one',
	check: requireMembers,
	identify: ({ values }) => ({ board_id: toNumberIfExact(values.boardId) }),
	valuesSet: ({ body }) => ({ added: membersOf(body, true), removed: membersOf(body, false) }),
	fields: [
		boardLocator,
		{
			displayName: 'Specify Members',
			name: 'membersInput',
			type: 'options',
			default: 'list',
			description: 'How to name the members',
			options: [
				{
					name: 'Using a List',
					value: 'list',
					description: 'In rows, each with a user and whether to add or remove the user',
				},
				{
					name: 'Using Text',
					value: 'text',
					description: 'As msids separated by commas, or an array from an expression',
				},
			],
		},
		{
			displayName: 'Add Members',
			name: 'addMembers',
			type: 'string',
			default: '',
			placeholder: 'e.g. 42.a1b2c3, 43.d4e5f6',
			description:
				'The msids of the users who get access to the private board, separated by commas, or an array from an expression',
			...AS_TEXT,
			routing: { send: { type: 'body', property: 'member_changes' } },
			[meaning]: { read: memberChanges(true), givenTwice: addedAndRemoved },
		},
		{
			displayName: 'Remove Members',
			name: 'removeMembers',
			type: 'string',
			default: '',
			placeholder: 'e.g. 44.g7h8i9',
			description:
				'The msids of the users who lose access to the private board, separated by commas, or an array from an expression',
			...AS_TEXT,
			routing: { send: { type: 'body', property: 'member_changes' } },
			[meaning]: { read: memberChanges(false), givenTwice: addedAndRemoved },
		},
		{
			displayName: 'Members',
			name: 'boardMembers',
			type: 'fixedCollection',
			default: {},
			placeholder: 'Add Row',
			description: 'The users who get access to the private board, or lose it',
			typeOptions: { multipleValues: true },
			options: [
				{
					displayName: 'Members',
					name: 'members',
					values: [
						{ ...userLocator, description: 'The user whose access changes' },
						{
							displayName: 'Access',
							name: 'access',
							type: 'options',
							default: 'add',
							description: 'Whether to grant or revoke access',
							options: [
								{ name: 'Add', value: 'add', description: 'The user can use the board' },
								{
									name: 'Remove',
									value: 'remove',
									description: 'The user can no longer use the board',
								},
							],
						},
					],
				},
			],
			displayOptions: { show: { membersInput: ['list'] } },
			routing: { send: { type: 'body', property: 'member_changes' } },
			[meaning]: { read: memberRows },
		},
	],
};

function membersOf({ member_changes: changes }: IDataObject, hasAccess: boolean): string[] {
	const entries = Object.entries((changes ?? {}) as IDataObject);
	return entries.filter(([, access]) => access === hasAccess).map(([msid]) => msid);
}

/** @throws Failure when no member is named */
function requireMembers({ body, values }: Input): void {
	if (Object.keys(body.member_changes ?? {}).length > 0) return;
	throw new Failure(
		'No member was named',
		values.membersInput === 'list'
			? 'Add at least one row under "Members", or choose "Using Text" in "Specify Members".'
			: 'Give at least one msid in "Add Members" or in "Remove Members".',
	);
}
