import type { Community } from '../community.mts';
import { ApiError, found } from '../errors.mts';
import { formOf } from '../forms.mts';
import type { Tag } from '../records.mts';
import { type Call, type Handler, Listing } from './handler.mts';

type Colors = 'back_color' | 'text_color';
/** The colours have documented defaults, which the check has filled in. */
type TagBody = Pick<Tag, 'name' | Colors> &
	Partial<Omit<Tag, 'tag_id' | 'name' | 'display_name' | Colors>>;
interface ListQuery {
	sort_by?: 'id' | 'name';
	order: 'asc' | 'desc';
	ids?: string;
}
type ById<Body = unknown> = Call<{ tag_id: number }, unknown, Body>;

const toTag = formOf<Tag>('TagFull');
const toSummary = formOf<Tag>('TagSummary');

/** The endpoints of tags (docs/api/README.md, "Tag"). */
export const tags: Record<string, Handler> = {
	'tag.get': ({ params, community }: ById) => toTag(found(community.tags, params.tag_id, 'tag')),

	'tag.getAll': ({ query, community }: Call<unknown, ListQuery>) => {
		const { ids } = query;
		const asked = ids === undefined ? undefined : new Set(ids.split(',').map(Number));
		const listed = [...community.tags.values()].filter((tag) => asked?.has(tag.tag_id) ?? true);
		return new Listing(sorted(listed, query), toSummary);
	},

	'tag.create': ({ body, community }: Call<unknown, unknown, TagBody>) => {
		const values = tagValues(body, community);
		const tag: Tag = { tag_id: community.nextId('tag'), ...values };
		community.tags.set(tag.tag_id, tag);
		return toTag(tag);
	},

	// The record is replaced, so fields that the body leaves out are lost.
	'tag.update': ({ params, body, community }: ById<TagBody>) => {
		const tag = found(community.tags, params.tag_id, 'tag');
		return toTag(Object.assign(tag, tagValues(body, community, tag)));
	},

	'tag.getForEntity': ({
		query,
		community,
	}: Call<unknown, { ref_type: string; ref_id: string }>) => {
		const { ref_type, ref_id } = query;
		const kinds = {
			POST: community.posts,
			COMMENT: community.comments,
			REPLY: community.replies,
		};
		const id = ref_type === 'USER' ? community.user(ref_id).user_id : Number(ref_id);
		if (ref_type !== 'USER') {
			found<unknown>(kinds[ref_type as keyof typeof kinds], ref_id, ref_type.toLowerCase());
		}
		const mapped = community.tagMappings.get(`${ref_type}:${id}`) ?? [];
		return new Listing(
			[...mapped].map((tagId) => found(community.tags, tagId, 'tag')),
			toSummary,
		);
	},

	'tag.search': ({ query, community }: Call<unknown, { q: string }>) => {
		const wanted = query.q.toLowerCase();
		const matches = [...community.tags.values()].filter(({ name }) => name.includes(wanted));
		return new Listing(matches, toSummary);
	},
};

/** A list without sort_by has a stable order that follows no field. */
function sorted(listed: Tag[], { sort_by, order }: ListQuery): Tag[] {
	const shuffled = ({ tag_id }: Tag) => Math.imul(tag_id, 0x9e3779b1) >>> 0;
	if (sort_by === undefined) return listed.sort((a, b) => shuffled(a) - shuffled(b));
	const ascending = listed.sort((a, b) =>
		sort_by === 'id' ? a.tag_id - b.tag_id : a.name < b.name ? -1 : 1,
	);
	return order === 'desc' ? ascending.reverse() : ascending;
}

/** The values of a whole tag from a request. Throws a 409 if another tag has the name. */
function tagValues(body: TagBody, community: Community, self?: Tag): Omit<Tag, 'tag_id'> {
	const display_name = body.name.replace(/^#/, '').trim();
	const name = community.tagName(display_name);
	if (name === '') throw new ApiError(400, 'body.name holds no letter or digit');
	const taken = [...community.tags.values()].some((tag) => tag.name === name && tag !== self);
	if (taken) throw new ApiError(409, `a tag with the name ${name} exists`);
	return {
		description: null,
		image: null,
		og_image: null,
		og_title: null,
		og_description: null,
		...body,
		name,
		display_name,
	};
}
