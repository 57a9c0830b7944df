import { board, role, tagSummary } from './types';

/** The kinds of records that can be chosen by name: where they are listed, and which fields hold the name. */
export const NAMED = {
	board: { type: board, path: '/boards', nameFields: ['board_name'] },
	role: { type: role, path: '/roles', nameFields: ['role_name'] },
	// People know both the name as typed and the name that the API derives from it (docs/decisions.md, A13).
	tag: { type: tagSummary, path: '/tags', nameFields: ['display_name', 'name'] },
} as const;

export type NamedKind = keyof typeof NAMED;

/** The owner of the API key, as an entry of a list of members. */
export const ME = { name: 'Me (Owner of the API Key)', value: 'me' } as const;
