/** user_status (docs/api/README.md, "User"). */
export const USER_STATUS: Record<string, string> = {
	'10': 'ACTIVE',
	'6': 'UNVERIFIED',
	'5': 'INVITED',
	'4': 'WAITLIST',
	'0': 'INACTIVE',
	'-3': 'BANNED',
	'-100': 'DELETED',
};

/** hidden_type (docs/api/README.md, "Board"). */
export const HIDDEN_TYPE: Record<string, string> = {
	'0': 'ALL_USERS',
	'1': 'LOGGED_IN_MEMBERS',
	'2': 'BOARD_MEMBERS',
};

/** permission_for (docs/api/README.md, "Board"). */
export const PERMISSION_FOR: Record<string, string> = {
	'1': 'ADMINS',
	'5': 'ADMINS_AND_MODERATORS',
	'10': 'ALL_MEMBERS',
};

/** Every status of a member, active members first. */
export const USER_STATUSES = Object.keys(USER_STATUS)
	.map(Number)
	.sort((a, b) => b - a);

/** The codes in {@link USER_STATUS} that the package itself uses. */
export const USER_STATUS_CODE = {
	ACTIVE: 10,
	UNVERIFIED: 6,
	INVITED: 5,
	WAITLIST: 4,
	DELETED: -100,
} as const;

/** post_status, comment_status and a reply's status (docs/api/README.md, "Default entity statuses"). */
export const ENTITY_STATUS: Record<string, string> = {
	'15': 'ACTIVE',
	'4': 'APPROVAL_REQUIRED',
	'3': 'APPROVAL_REJECTED',
	'2': 'DRAFT',
	'0': 'INACTIVE',
	'-2': 'REPORTED',
	'-3': 'SPAM',
	'-100': 'DELETED',
};

/** The state of comments and replies (docs/api/README.md, "Comment and reply state values"). */
export const COMMENT_STATE: Record<string, string> = {
	'11': 'ARCHIVED',
	'10': 'LOCKED',
	'9': 'MODERATED',
	'5': 'USER_REPORTED',
	'0': 'DEFAULT',
	'-2': 'REPORTED',
	'-3': 'SPAM',
	'-100': 'DELETED',
};
