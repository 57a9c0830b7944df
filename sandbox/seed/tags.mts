import type { Community } from '../community.mts';
import { hashtag } from '../text.mts';
import { TAG_ASPECTS, TAG_SUBJECTS } from './words.mts';

/** One tag per subject and aspect. */
export function seedTags(community: Community): void {
	const { random } = community;
	for (const aspect of TAG_ASPECTS) {
		for (const subject of TAG_SUBJECTS) {
			const tag_id = community.nextId('tag', 501);
			const display_name = `${subject}${aspect}`;
			const described = random.chance(0.5);
			community.tags.set(tag_id, {
				tag_id,
				name: hashtag(display_name),
				display_name,
				description: described ? `Posts about ${subject.toLowerCase()}` : null,
				image: random.chance(0.1) ? `https://images.example/tags/${tag_id}.png` : null,
				og_image: null,
				og_title: described ? display_name : null,
				og_description: null,
				back_color: random.pick(['#ffffff', '#e6f4ea', '#fce8e6cc', '#e8f0fe']),
				text_color: random.pick(['#330000', '#0b3d2e', '#1a237e']),
			});
		}
	}
}

/** Adds one to three tags to every other post and to some comments, replies and members. */
export function seedTagMappings(community: Community): void {
	const { random } = community;
	const tagIds = [...community.tags.keys()];
	const entities: Array<[string, Iterable<number>, number]> = [
		['POST', community.posts.keys(), 0.5],
		['COMMENT', community.comments.keys(), 0.2],
		['REPLY', community.replies.keys(), 0.2],
		['USER', community.users.keys(), 0.1],
	];
	for (const [type, ids, share] of entities) {
		for (const id of ids) {
			if (!random.chance(share)) continue;
			const count = 1 + random.below(3);
			community.tagEntity(
				type,
				id,
				Array.from({ length: count }, () => random.pick(tagIds)),
			);
		}
	}
	// One entity with more tags than fit on a page, so that paging can be seen here too.
	const [firstPost] = community.posts.keys();
	community.tagEntity('POST', firstPost, tagIds.slice(0, 60));
}
