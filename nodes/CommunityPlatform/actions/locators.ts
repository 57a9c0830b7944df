import type { INodePropertyMode } from 'n8n-workflow';
import { ME } from '../../shared/records/named';
import { memberId, memberMsid, namedId, toExactNumber } from '../input/identifiers';
import { rules, type Field, type ReadValue } from '../input/field';

const MEMBER =
	"mode 'id' with the msid of a user, by an expression ($json.msid behind a user operation, $json.user.msid behind the Community Platform Trigger), or mode 'email' or 'username' where only that is known";

/** What n8n's AI Builder is told, by the picker behind a locator. */
const HINTS: Record<string, string> = {
	searchUsers: `Give ${MEMBER}.`,
	searchAuthors: `Leave it at its default for the owner of the API key; for another author, give ${MEMBER}.`,
};

interface Locator {
	field: Pick<Field, 'displayName' | 'name' | 'description'>;
	read: ReadValue;
	/** The picker behind it, one of the node's `listSearch` methods. */
	list: string;
	/** An identifier, as an example. */
	id: string;
	modes: INodePropertyMode[];
	slowLoadNotice?: { message: string; timeout: number };
}

function locator({ field, read, list, id, modes, slowLoadNotice }: Locator): Field {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		[rules]: { read, isIdentifier: true },
		builderHint: {
			propertyHint:
				HINTS[list] ??
				"Give mode 'name' with a name as people know it, or mode 'id' with an ID out of another item.",
		},
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${withArticle(field.displayName.toLowerCase())}…`,
				typeOptions: { searchListMethod: list, searchable: true, slowLoadNotice },
			},
			...modes,
			textMode('By ID', 'id', id),
		],
	};
}

function textMode(displayName: string, name: string, example: string): INodePropertyMode {
	const type = 'string';
	return { displayName, name, type, placeholder: `e.g. ${example}` };
}

function withArticle(noun: string): string {
	return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

const aBoard: Locator = {
	field: { displayName: 'Board', name: 'boardId', description: 'The board to work with' },
	read: namedId('board'),
	list: 'searchBoards',
	id: '42',
	modes: [textMode('By Name', 'name', 'Announcements')],
};

export const boardLocator = locator(aBoard);

export const privateBoardLocator = locator({ ...aBoard, list: 'searchPrivateBoards' });

export const roleLocator = locator({
	field: {
		displayName: 'Role',
		name: 'roleId',
		description:
			"The member's new role. It replaces the present one; the option 'Only From' protects your team's roles.",
	},
	read: namedId('role', toExactNumber),
	list: 'searchRoles',
	id: '3',
	modes: [textMode('By Name', 'name', 'Champion')],
});

export const tagLocator = locator({
	field: { displayName: 'Tag', name: 'tagId', description: 'The tag to work with' },
	read: namedId('tag'),
	list: 'searchTags',
	id: '42',
	modes: [textMode('By Name', 'name', 'HowTo')],
});

const aMember: Pick<Locator, 'id' | 'modes' | 'slowLoadNotice'> = {
	id: '42.a1b2c3',
	modes: [
		textMode('By Username', 'username', 'ada_l'),
		textMode('By Email', 'email', 'ada@example.com'),
	],
	slowLoadNotice: {
		message: 'A large community takes a while to list its users. By Username is quicker.',
		timeout: 4000,
	},
};

const aUser: Locator = {
	...aMember,
	field: {
		displayName: 'Member',
		name: 'userId',
		description:
			"The user to work with. The ID is the user's msid: the number and the code behind it, as every user item shows it.",
	},
	read: memberMsid,
	list: 'searchUsers',
};

export const userLocator = locator(aUser);

/** The locator of a user to read, whom the API also finds by user_id (docs/api/openapi.yaml, `user.get`). */
export const userToReadLocator = locator({ ...aUser, read: memberId });

export const authorLocator: Field = {
	...locator({
		...aMember,
		field: {
			displayName: 'Author',
			name: 'author',
			description:
				"The user who is shown as the author. The ID is the user's msid, as every user item shows it. Whether writing is allowed depends on the owner of the API key, not on the author.",
		},
		read: memberMsid,
		list: 'searchAuthors',
	}),
	// Empty means the default: n8n empties the field when another credential is chosen.
	required: false,
	default: { mode: 'list', value: ME.value, cachedResultName: ME.name },
	[rules]: { read: memberMsid, isIdentifier: true, defaultTo: ME.value },
};
