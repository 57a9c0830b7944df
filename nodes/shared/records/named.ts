import { board, role, tagSummary } from './types';

/** What the API has few enough of to be chosen by name: where each is listed, and what names it. */
export const NAMED = {
	board: { type: board, path: '/boards', idField: 'board_id', nameFields: ['board_name'] },
	role: { type: role, path: '/roles', idField: 'role_id', nameFields: ['role_name'] },
	// The name is derived from what the user specified (api/README.md, "Tag"), so both are known to users.
	tag: {
		type: tagSummary,
		path: '/tags',
		idField: 'tag_id',
		nameFields: ['display_name', 'name'],
	},
} as const;

/** The member whose API key it is, as an entry of a list of members. */
export const ME = { name: 'Me (Owner of the API Key)', value: 'me' } as const;

/** A kind of record that can be chosen by name. */
export type NamedKind = keyof typeof NAMED;
