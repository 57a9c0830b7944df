import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/failure';

/** How a record that was read becomes the body of the PUT that replaces it. */
export interface Replaceable {
	/** Fields that PUT requires (specification, "Endpoints"). */
	required: readonly string[];
	/** Fields that PUT takes and no answer to a read has, so that they cannot be kept. */
	hidden?: readonly string[];
	/**
	 * What PUT takes, from the record as it is; fields that the API does not show on a read are absent.
	 * Throws a Failure when nothing that is sent would leave a field as it is.
	 */
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
	// The detail form lacks them (specification, "User").
	hidden: ['middle_name', 'last_name', 'lang', 'timezone', 'banner', 'social_media_links'],
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

// The API derives both from what it is sent as `name` (specification, "Tag"): `display_name` is close to
// that, `name` its hashtag-like form in lowercase. So what is sent is display_name, if that is what name
// was derived from. How is not documented: letters and digits are what stays of it.
function spelledName({ name, display_name: displayName }: IDataObject): IDataObject {
	if (typeof name !== 'string' || typeof displayName !== 'string' || displayName === '') return {};
	if (isDerived(name, displayName)) return { name: displayName };
	throw new Failure(
		`What to send as the tag's name cannot be told: it is stored as "${name}" and shown as "${displayName}"`,
		'Give the tag a "Name" under "Update Fields": the API makes both from it.',
	);
}

function isDerived(name: string, displayName: string): boolean {
	const letters = lettersOf(name);
	if (letters === '') return withoutSpace(name) === withoutSpace(displayName);
	return [displayName, ...withoutMarks(displayName)].some((text) => lettersOf(text) === letters);
}

// Vowel signs are marks, and so are what makes a heart red and a digit a key.
function lettersOf(text: string): string {
	return text
		.replace(/\p{Variation_Selector}|[^\p{L}\p{Mn}\p{Mc}\p{N}]/gu, '')
		.normalize('NFKC')
		.toLowerCase();
}

// Café becomes Cafe where accents are taken for signs of their own.
function withoutMarks(text: string): string[] {
	const forms = [text, text.normalize('NFD'), text.normalize('NFKD')];
	return forms.map((form) => form.replace(/\p{M}/gu, ''));
}

function withoutSpace(text: string): string {
	return text.toLowerCase().replace(/[\s#]/g, '');
}

function present(record: IDataObject, fields: string[]): IDataObject {
	const entries = fields.map((field) => [field, record[field]] as const);
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}
