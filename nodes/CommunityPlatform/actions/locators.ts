import type { INodePropertyMode } from 'n8n-workflow';
import { ME } from '../../shared/records/identity';
import { badValue, isBlank } from '../../shared/values';
import { memberId, memberMsid, namedId, toExactNumber } from '../input/identifiers';
import { rules, type Field, type Convert } from './field';

const MEMBER =
	"mode 'id' with the member's msid from an expression ($json.msid after a member operation, $json.user.msid after the Community Platform Trigger), or mode 'email' or 'username' if only that is known";

/** Hints for n8n's AI Builder, by the picker of a locator. */
const HINTS: Record<string, string> = {
	searchUsers: `Use ${MEMBER}.`,
	searchAuthors: `Keep the default for the owner of the API key. For another author, use ${MEMBER}.`,
};

interface Locator {
	field: Pick<Field, 'displayName' | 'name' | 'description'>;
	convert: Convert;
	/** The field of a record with the ID. */
	idField: string;
	/** Its picker, one of the node's `listSearch` methods. */
	list: string;
	/** An example of an ID. */
	id: string;
	modes: INodePropertyMode[];
	slowLoadNotice?: { message: string; timeout: number };
}

function locator({ field, convert, idField, list, id, modes, slowLoadNotice }: Locator): Field {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		[rules]: { convert, idField, isIdentifier: true },
		builderHint: {
			propertyHint:
				HINTS[list] ??
				"Use mode 'name' with the name that people see, or mode 'id' with an ID from another item.",
		},
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: placeholderOf(field.displayName, idField),
				typeOptions: { searchListMethod: list, searchable: true, slowLoadNotice },
			},
			...modes,
			// The editor has its own label for this mode, which does not say what else it takes.
			{
				...textMode('By ID', 'id', id),
				hint: `${idField === 'msid' ? 'An email address or a username' : 'A name'} also works here`,
			},
		],
	};
}

// The list of members is searched by what it shows.
function placeholderOf(label: string, idField: string): string {
	const article = /^[AEIO]/.test(label) ? 'an' : 'a';
	const searched = idField === 'msid' ? ' by first name or username' : '';
	return `Select ${article} ${label.toLowerCase()}${searched}…`;
}

function textMode(displayName: string, name: string, example: string): INodePropertyMode {
	const type = 'string';
	return { displayName, name, type, placeholder: `e.g. ${example}` };
}

const aBoard: Locator = {
	field: { displayName: 'Board', name: 'boardId', description: 'The board to work with' },
	convert: namedId('board'),
	idField: 'board_id',
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
			"The member's new role, which replaces the current one. To protect your team's roles, add the option 'Only If Current Role Is'.",
	},
	convert: namedId('role', toExactNumber),
	idField: 'role_id',
	list: 'searchRoles',
	id: '3',
	modes: [textMode('By Name', 'name', 'Champion')],
});

export const tagLocator = locator({
	field: { displayName: 'Tag', name: 'tagId', description: 'The tag to work with' },
	convert: namedId('tag'),
	idField: 'tag_id',
	list: 'searchTags',
	id: '42',
	modes: [textMode('By Name', 'name', 'HowTo')],
});

const aMember: Pick<Locator, 'id' | 'idField' | 'modes' | 'slowLoadNotice'> = {
	// For a member, the API takes only the msid.
	idField: 'msid',
	id: '42.a1b2c3',
	modes: [
		textMode('By Username', 'username', 'ada_l'),
		textMode('By Email', 'email', 'ada@example.com'),
	],
	slowLoadNotice: {
		message: "A large community takes a while to list its members. 'By Username' is faster.",
		timeout: 4000,
	},
};

const aUser: Locator = {
	...aMember,
	field: {
		displayName: 'Member',
		name: 'userId',
		description: "The member to work with. The ID is the 'msid' of a member item, e.g. 42.a1b2c3.",
	},
	convert: memberMsid,
	list: 'searchUsers',
};

export const userLocator = namingMember(locator(aUser));

/** The locator of a member to read, for which the API also accepts the user_id (docs/api/openapi.yaml, `user.get`). */
export const userToReadLocator = namingMember(locator({ ...aUser, convert: memberId }));

function namingMember(field: Field): Field {
	return { ...field, [rules]: { ...field[rules], namesMembers: true } };
}

const authorMsid: Convert = (value, label, mode) => {
	if (isBlank(value)) throw badValue(label, 'is empty', "Choose an author, or 'Me'.");
	return memberMsid(value, label, mode);
};

export const authorLocator: Field = {
	...locator({
		...aMember,
		field: {
			displayName: 'Author',
			name: 'author',
			description:
				"The member who is shown as the author. The API checks the permissions of the API key's owner, not of the author.",
		},
		convert: authorMsid,
		list: 'searchAuthors',
	}),
	// n8n empties the field when another credential is chosen. Then it must not mean the owner of the key.
	default: { mode: 'list', value: ME.value, cachedResultName: ME.name },
	[rules]: { convert: authorMsid, isIdentifier: true, mustBeSet: true },
};
