import { type Profile } from '../community.mts';
import { formOf } from '../forms.mts';
import type { User } from '../records.mts';
import { type Call, type Handler, Listing, OK } from './handler.mts';

type ByMsid<Body = unknown> = Call<{ msid: string }, unknown, Body>;
interface ListQuery {
	sort_by: 'user_id' | 'joined' | 'name';
	order: 'asc' | 'desc';
	status: number;
}
interface PatchBody {
	action: number;
	data: { role_id?: number };
	details?: string;
}

const toSelf = formOf<User>('UserSelf');
const toDetail = formOf<User>('UserDetail');
const toGet = formOf<User>('UserGet');
const toListItem = formOf<User>('UserListItem');

/** The values of these fields after an update that leaves them out. */
const emptied = (user: User) => ({
	middle_name: null,
	last_name: null,
	username: `member${user.user_id}`,
	user_avatar: null,
	user_description: null,
	banner: null,
	social_media_links: null,
});

/** The endpoints of members (docs/api/README.md, "User"). */
export const users: Record<string, Handler> = {
	// The only answer with user_status as text (docs/api/README.md, "User").
	'user.getSelf': ({ community }: Call) => ({
		...toSelf(community.caller),
		user_status: String(community.caller.user_status),
	}),

	'user.create': ({ body, community }: Call<unknown, unknown, Profile>) =>
		toSelf(community.join(body)),

	// The record is replaced, so fields that the body leaves out are lost.
	'user.update': ({ params, body, community }: ByMsid<Partial<User>>) => {
		const user = community.user(params.msid);
		return toDetail(community.changeUser(user.user_id, { ...emptied(user), ...body }));
	},

	'user.get': ({ params, community }: ByMsid) => toGet(community.user(params.msid)),

	'user.getAll': ({ query, community }: Call<unknown, ListQuery>) =>
		new Listing(community.members(query.status, query.sort_by, query.order), toListItem),

	// The only action is 101. Without a role_id, which is optional, it changes nothing.
	'user.updateRole': ({ params, body, community }: ByMsid<PatchBody>) => {
		const user = community.user(params.msid);
		if (body.data.role_id !== undefined) community.promote(user.user_id, body.data.role_id);
		return OK;
	},
};
