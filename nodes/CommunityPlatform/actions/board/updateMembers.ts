import type { IDataObject } from 'n8n-workflow';
import { Failure, shortened } from '../../../shared/failure';
import { cellOf, isEmptyCell } from '../../input/entered';
import {
	NOT_FOUND,
	LookUp,
	membersOfList,
	msidOfList,
	type Reference,
} from '../../input/identifiers';
import { isMap, oneOf, rowsOf } from '../../../shared/values';
import { textField } from '../common';
import { privateBoardLocator, userLocator } from '../locators';
import type { Operation } from '../operation';
import { rules, type Field, type Input, type Convert } from '../field';

const ACCESS = [
	{ name: 'Add', value: 'add', description: 'The member can use the board' },
	{ name: 'Remove', value: 'remove', description: 'The member can no longer use the board' },
];
const readAccess = oneOf(ACCESS);

const memberRows: Convert = (value, label, _mode, { leavesOut } = {}) => {
	const example = '{ "members": [{ "userId": "42.a1b2c3", "access": "add" }] }';
	const rows = rowsOf(value, label, 'members', example).map((row) => {
		const cells = isMap(row) ? row : { userId: row as string };
		const access = readAccess(cellOf(cells, 'access', 'Access').value, 'Access');
		const hasAccess = access === 'add';
		if (leavesOut && isEmptyCell(cells.userId)) return { member: NOT_FOUND, hasAccess };
		const { value: member, mode } = cellOf(cells, 'userId', 'Member');
		return { member: msidOfList(member, 'Member', mode), hasAccess };
	});
	return LookUp.of(
		rows.map(({ member }) => member),
		(msids) => {
			const changes: IDataObject = {};
			for (const [at, msid] of msids.entries()) {
				const { hasAccess } = rows[at];
				if (msid === NOT_FOUND) continue;
				if (changes[msid] === !hasAccess) throw addedAndRemoved(msid, label);
				changes[msid] = hasAccess;
			}
			return changes;
		},
	);
};

const AS_TEXT: Pick<Field, 'displayOptions'> = {
	displayOptions: { show: { membersInput: ['text'] } },
};

export const updateMembers: Operation = {
	name: 'Update Members',
	value: 'updateMembers',
	action: 'Update board members',
	description: 'Add or remove members of a private board by ID, username or email',
	builderHint: 'For private boards only. Identify members by msid, username or email address.',
	effect: 'sets',
	request: { method: 'PUT', url: '/boards/{boardId}/members' },
	strategy: { name: 'updateMembers' },
	leavesOut: 'membersOfList',
	check: requireMembers,
	acknowledged: {
		member({ body: { member_changes: changes } }) {
			const msids = Object.keys(changes ?? {});
			return msids.length === 1 ? msids[0] : undefined;
		},
		values({ body }) {
			const [added, removed] = [membersOf(body, true), membersOf(body, false)];
			return { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) };
		},
	},
	fields: [
		privateBoardLocator,
		{
			displayName: 'Specify Members',
			name: 'membersInput',
			type: 'options',
			default: 'text',
			description: 'How to enter the members',
			options: [
				{
					name: 'From a Column or Text',
					value: 'text',
					description: 'IDs, usernames or email addresses, separated by commas',
				},
				{
					name: 'Using Fields Below',
					value: 'list',
					description: "A row for each member, with 'Add' or 'Remove'",
				},
			],
		},
		textField('Add Members', 'addMembers', 'member_changes', {
			placeholder: 'e.g. ada@example.com, grace_h',
			description: 'Members to add: IDs, usernames or email addresses, separated by commas',
			...AS_TEXT,
			[rules]: { convert: memberChanges(true), ifRepeated: addedAndRemoved, namesMembers: true },
		}),
		textField('Remove Members', 'removeMembers', 'member_changes', {
			placeholder: 'e.g. 44.g7h8i9, alan_t',
			description: 'Members to remove: IDs, usernames or email addresses, separated by commas',
			...AS_TEXT,
			[rules]: { convert: memberChanges(false), ifRepeated: addedAndRemoved, namesMembers: true },
		}),
		{
			displayName: 'Members',
			name: 'boardMembers',
			type: 'fixedCollection',
			default: {},
			placeholder: 'Add row',
			description: 'The members to add to or remove from the private board',
			typeOptions: { multipleValues: true },
			options: [
				{
					displayName: 'Members',
					name: 'members',
					values: [
						{ ...userLocator, description: 'The member to add or remove' },
						{
							displayName: 'Access',
							name: 'access',
							type: 'options',
							default: 'add',
							description: "What to do with the member's access",
							options: ACCESS,
						},
					],
				},
			],
			displayOptions: { show: { membersInput: ['list'] } },
			routing: { send: { type: 'body', property: 'member_changes' } },
			[rules]: { convert: memberRows },
		},
	],
};

function memberChanges(hasAccess: boolean): Convert {
	return (value, label) =>
		LookUp.of(membersOfList(value, label) as Array<string | Reference>, (msids) =>
			Object.fromEntries(
				msids.filter((msid) => msid !== NOT_FOUND).map((msid) => [msid, hasAccess]),
			),
		);
}

function addedAndRemoved(msid: string, label: string): Failure {
	return new Failure(
		`Member ${shortened(msid)} is both added and removed`,
		`List each member only once. Check '${label}'.`,
	);
}

function membersOf({ member_changes: changes }: IDataObject, hasAccess: boolean): string[] {
	const entries = Object.entries((changes ?? {}) as IDataObject);
	return entries.filter(([, access]) => access === hasAccess).map(([msid]) => msid);
}

function requireMembers({ body, values, labels, emptyCells }: Input): void {
	if (Object.keys(body.member_changes ?? {}).length > 0) return;
	const isNamed = ['addMembers', 'removeMembers', 'boardMembers'].some((name) => name in values);
	if ((isNamed || emptyCells.length > 0) && values.ifNotFound === 'leaveOut') {
		throw new Failure(
			'No member was found',
			'Check the spelling of each username, email address and member ID that you entered.',
			{ notFound: 'user', query: '' },
		);
	}
	throw new Failure(
		'No members were entered',
		values.membersInput === 'list'
			? "Add at least one row under 'Members', or choose 'From a Column or Text' in 'Specify Members'."
			: `Enter at least one member in '${labels.addMembers}' or '${labels.removeMembers}'.`,
	);
}
