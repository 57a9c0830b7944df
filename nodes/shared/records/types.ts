import { COMMENT_STATE, ENTITY_STATUS, HIDDEN_TYPE, PERMISSION_FOR, USER_STATUS } from './codes';

export interface RecordType {
	idField: string;
	/** A second ID: the first one, a dot, and a code that has its own field. */
	compositeId?: { field: string; codeField: string };
	/** Every documented field, in the order of the documentation (docs/api/README.md, "Resources and their fields"). */
	fields: readonly string[];
	/** The fields of this form of the record, if it lacks some. */
	returned?: readonly string[];
	/** The fields of the simplified form, the most useful first. Unset if the record has at most ten fields. */
	simplified?: readonly string[];
	/** The fields by which people recognise a record, the best one first. */
	nameFields?: readonly string[];
	/** Fields that can be set, but are in no answer (docs/decisions.md, A8). */
	neverReturned?: readonly string[];
	/** Numeric codes, each with its table of names. The simplified form has the name as `<field>_name`. */
	codes?: Readonly<Record<string, Record<string, string>>>;
}

// Names of fields as one text, because a name on each line would fill pages.
function words(text: string): string[] {
	return text.trim().split(/\s+/);
}

export const board: RecordType = {
	idField: 'board_id',
	fields: words(`
		board_id display_order board_name board_type is_private hidden_type permission_for
		needs_approval pinned_posts post_count last_posted_at icon about
	`),
	simplified: words(`
		board_id board_name about is_private hidden_type hidden_type_name permission_for
		permission_for_name post_count last_posted_at
	`),
	nameFields: ['board_name'],
	codes: { hidden_type: HIDDEN_TYPE, permission_for: PERMISSION_FOR },
};

export const user: RecordType = {
	idField: 'user_id',
	compositeId: { field: 'msid', codeField: 'sid' },
	fields: words(`
		user_id sid msid username user_avatar first_name middle_name last_name role_id is_bot
		user_status email created_at last_modified_at user_description banner social_media_links
		meta login_count post_count comment_count reply_count
	`),
	neverReturned: ['lang', 'timezone'],
	nameFields: ['username', 'first_name'],
	codes: { user_status: USER_STATUS },
};

// The useful fields of a member, the most useful first. Each form lacks some of them.
const USEFUL_OF_A_USER = words(`
	msid user_id username first_name last_name email role_id user_status user_status_name
	post_count created_at
`);

function userWith(text: string): RecordType {
	const returned = words(text);
	const isReturned = (field: string) => [...returned, 'user_status_name'].includes(field);
	return { ...user, returned, simplified: USEFUL_OF_A_USER.filter(isReturned) };
}

const DETAILS = `
	user_id sid msid username user_avatar first_name role_id is_bot user_status created_at
	user_description meta login_count post_count comment_count reply_count
`;

/** A member in the answers to reading oneself and to creating a member (docs/api/README.md, "User"). */
export const userSelf = userWith(`
	user_id username user_avatar first_name last_name middle_name sid role_id is_bot
	user_status email msid created_at last_modified_at
`);

/** A member in the answer to an update. */
export const userDetail = userWith(DETAILS);

/** A member in the answer to reading one. */
export const userDetailWithEmail = userWith(`${DETAILS} email`);

/** A member in lists. The first fields are those by which people recognise a member. */
export const userList: RecordType = {
	...user,
	returned: words(
		'user_id sid msid username user_avatar first_name role_id user_status created_at',
	),
	simplified: words(`
		username first_name msid role_id user_status user_status_name created_at user_id user_avatar
	`),
};

export const role: RecordType = {
	idField: 'role_id',
	fields: ['role_id', 'role_name', 'role_details', 'is_default'],
};

export const post: RecordType = {
	idField: 'post_id',
	fields: words(`
		post_id board_id headline post_short_text content clean_text post_status comment_count
		reply_count react_count reactions view_count last_edited_at created_at last_modified_at
		user
	`),
	simplified: words(`
		post_id board_id headline clean_text content post_status post_status_name comment_count
		created_at user
	`),
	nameFields: ['headline'],
	codes: { post_status: ENTITY_STATUS },
};

export const comment: RecordType = {
	idField: 'comment_id',
	fields: words(`
		post_id comment_id content clean_text react_count reply_count reactions comment_status
		state last_edited_at created_at last_modified_at user
	`),
	simplified: words(`
		comment_id post_id clean_text comment_status comment_status_name state state_name
		reply_count created_at user
	`),
	codes: { comment_status: ENTITY_STATUS, state: COMMENT_STATE },
};

export const reply: RecordType = {
	idField: 'reply_id',
	fields: words(`
		post_id comment_id reply_id content clean_text react_count reactions status state
		last_edited_at created_at last_modified_at user
	`),
	simplified: words(`
		reply_id comment_id post_id clean_text status status_name state state_name created_at
		user
	`),
	codes: { status: ENTITY_STATUS, state: COMMENT_STATE },
};

export const tag: RecordType = {
	idField: 'tag_id',
	fields: words(`
		tag_id name display_name description image og_image og_title og_description back_color
		text_color
	`),
	nameFields: ['display_name', 'name'],
};

/** A tag in lists, by ID, of an entity and in search (docs/api/README.md, "Tag"). */
export const tagSummary: RecordType = {
	idField: 'tag_id',
	fields: ['tag_id', 'name', 'display_name', 'back_color', 'text_color'],
};
