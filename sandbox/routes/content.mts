import type { Community } from '../community.mts';
import type { Reactions, User } from '../records.mts';
import { plainText } from '../text.mts';

/** The initial values of a new post, comment or reply: no reactions, never edited. */
export function newContent(community: Community, author: User, content: string) {
	const now = community.timestamp();
	return {
		content,
		clean_text: plainText(content),
		react_count: 0,
		reactions: null,
		last_edited_at: null,
		created_at: now,
		last_modified_at: now,
		author_id: author.user_id,
	};
}

/** The fields that an edit changes. An edited item contains its reactions, even if only a slot with a count of 0. */
export function editedContent(
	community: Community,
	item: { reactions: Reactions | null },
	content: string,
) {
	const now = community.timestamp();
	return {
		content,
		clean_text: plainText(content),
		reactions: item.reactions ?? { s1: 0 },
		last_edited_at: now,
		last_modified_at: now,
	};
}
