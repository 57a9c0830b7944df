import type { IDataObject } from 'n8n-workflow';

/** How a record that was read becomes the body of the PUT that replaces it. */
export interface Replaceable {
	/** Fields that PUT requires (specification, "Endpoints"). */
	required: readonly string[];
	/** What PUT takes, from the record as it is; fields that the API does not show on a read are absent. */
	keep(record: IDataObject): IDataObject;
}

export const replaceableBoard: Replaceable = {
	required: ['board_name', 'is_private', 'hidden_type', 'permission_for', 'needs_approval'],
	keep: (record) =>
		present(record, [
			'board_name',
			'about',
			'is_private',
			'hidden_type',
			'permission_for',
			'needs_approval',
			'icon',
		]),
};

export const replaceableUser: Replaceable = {
	required: ['first_name'],
	keep: (record) =>
		present(record, [
			'first_name',
			'middle_name',
			'last_name',
			'username',
			'user_avatar',
			'lang',
			'timezone',
			'user_description',
			'banner',
			'social_media_links',
		]),
};

export const replaceablePost: Replaceable = {
	required: ['board_id', 'headline', 'content', 'authors'],
	keep: (record) => {
		const { msid } = (record.user ?? {}) as IDataObject;
		const boardId = present(record, ['board_id']).board_id;
		return {
			...present(record, ['headline', 'content']),
			...(boardId === undefined ? {} : { board_id: String(boardId) }),
			...(typeof msid === 'string' ? { authors: [msid] } : {}),
		};
	},
};

export const replaceableTag: Replaceable = {
	required: ['name'],
	keep: (record) => ({
		...present(record, [
			'name',
			'description',
			'image',
			'og_image',
			'og_title',
			'og_description',
			'back_color',
			'text_color',
		]),
		...spelledName(record),
	}),
};

// The API stores the name in lowercase and derives display_name from what it is sent: sending the
// stored name would take the capitals out of the displayed one.
function spelledName({ name, display_name: displayName }: IDataObject): IDataObject {
	const isSameName = String(displayName).toLowerCase() === name;
	return isSameName ? { name: displayName } : {};
}

function present(record: IDataObject, fields: string[]): IDataObject {
	const entries = fields.map((field) => [field, record[field]] as const);
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}
