import { openApi } from './openapi.mts';

/** The records as the sandbox keeps them: the API's field names, null if there is no value. */

export interface Board {
	board_id: number;
	display_order: number;
	board_name: string;
	board_type: string;
	is_private: boolean;
	hidden_type: number;
	permission_for: number | number[];
	needs_approval: boolean;
	pinned_posts: number[];
	post_count: number;
	last_posted_at: string | null;
	icon: string | null;
	about: string | null;
}

export interface User {
	user_id: number;
	sid: string;
	msid: string;
	username: string;
	user_avatar: string | null;
	first_name: string;
	middle_name: string | null;
	last_name: string | null;
	role_id: number;
	is_bot: boolean;
	user_status: number;
	email: string;
	created_at: string;
	last_modified_at: string;
	user_description: string | null;
	banner: string | null;
	social_media_links: Record<string, string> | null;
	meta: object | null;
	login_count: number;
	post_count: number;
	comment_count: number;
	reply_count: number;
	/** Accepted on create and update, but never returned. */
	sso_id: string | null;
	lang: string;
	timezone: string;
}

export interface Role {
	role_id: number;
	role_name: string;
	role_details: string | null;
	is_default: boolean;
}

export type Reactions = Record<string, number>;

interface Content {
	content: string;
	clean_text: string;
	react_count: number;
	reactions: Reactions | null;
	last_edited_at: string | null;
	created_at: string;
	last_modified_at: string;
	/** user_id of the author. The API returns it as an author summary in `user`. */
	author_id: number;
}

export interface Post extends Content {
	post_id: number;
	board_id: number;
	headline: string;
	post_short_text: string;
	post_status: number;
	comment_count: number;
	reply_count: number;
	view_count: number;
}

export interface Comment extends Content {
	post_id: number;
	comment_id: number;
	reply_count: number;
	comment_status: number;
	state: number;
}

export interface Reply extends Content {
	post_id: number;
	comment_id: number;
	reply_id: number;
	status: number;
	state: number;
}

export interface Tag {
	tag_id: number;
	name: string;
	display_name: string;
	description: string | null;
	image: string | null;
	og_image: string | null;
	og_title: string | null;
	og_description: string | null;
	back_color: string;
	text_color: string;
}

/** Codes that the sandbox itself acts on (docs/api/README.md, "User" and "Default entity statuses"). */
export const UserStatus = { ACTIVE: 10, WAITLIST: 4, BANNED: -3 } as const;
export const EntityStatus = { ACTIVE: 15 } as const;
export const ItemState = { DEFAULT: 0 } as const;
/** The user_id of the API caller. The members' IDs follow. */
export const FIRST_USER_ID = 101;

const { enum: codes, 'x-enum-varnames': names } = openApi.components.schemas.UserStatus;
const STATUS_NAMES = new Map(
	(codes as number[]).map((code, index) => [code, (names as string[])[index]]),
);

/** The name of a member's status on the page, e.g. `BANNED`. */
export function statusName({ user_status }: Pick<User, 'user_status'>): string {
	return STATUS_NAMES.get(user_status) ?? String(user_status);
}

/** The name of a member on the page. */
export function fullName(user: User | undefined): string {
	if (user === undefined) return 'a member who has left';
	return [user.first_name, user.middle_name, user.last_name].filter(Boolean).join(' ');
}
