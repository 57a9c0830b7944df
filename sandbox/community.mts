import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { ApiError, found } from './errors.mts';
import { Random } from './random.mts';
import type { Board, Comment, Post, Reply, Role, Tag, User } from './records.mts';
import { FIRST_USER_ID, fullName, statusName, UserStatus } from './records.mts';
import { seedCommunity } from './seed/seed.mts';
import { hashtag } from './text.mts';

export interface CommunityOptions {
	/** Seed of all random values. */
	seed: number;
	/** Number of members, the API caller included. */
	members: number;
	/** The clock for the end of the seeded history, and for the timestamps of new records. */
	now: () => Date;
}

/** The values of a new member: the fields of the create request, and those that only the sandbox sets. */
export type Profile = Partial<User> & { first_name: string };

export type MemberEvent = 'member.joined' | 'member.joined_waitlist';
/** An event, for the page. */
export interface News {
	/** Counts up, even after a reset. */
	id: number;
	time: string;
	text: string;
}
interface NewsOfMembers extends News {
	template: string;
	members: Set<User>;
}

type Kind = 'board' | 'user' | 'role' | 'post' | 'comment' | 'reply' | 'tag';
type MemberSort = 'user_id' | 'joined' | 'name';

const MOST_NEWS = 200;
const MOST_NAMES = 5;
/** The page shows the same change of several members in one line if each follows within this time. */
const BULK_MS = 2000;
const NAMES = new Intl.ListFormat('en-GB');

/**
 * The state of the community, in memory, and the changes that its members can go through. Emits an event for each
 * webhook event (docs/api/README.md, "Events"), with the member as argument.
 *
 * Read the maps freely. Change members through the methods: lists stay sorted until a method reports a change.
 */
export class Community extends EventEmitter<Record<MemberEvent, [User]>> {
	readonly boards = new Map<number, Board>();
	/** msids of the members of a board. */
	readonly boardMembers = new Map<number, Set<string>>();
	readonly users = new Map<number, User>();
	readonly roles = new Map<number, Role>();
	readonly posts = new Map<number, Post>();
	readonly comments = new Map<number, Comment>();
	readonly replies = new Map<number, Reply>();
	readonly tags = new Map<number, Tag>();
	/** tag_ids by entity, e.g. `POST:12` or `USER:101`. */
	readonly tagMappings = new Map<string, Set<number>>();
	/** The end of the seeded history. */
	readonly startedAt: Date;
	/** user_id of the owner of the API key. */
	callerId = 0;
	/** Derives a tag's name from its display_name. The API does not document how (docs/decisions.md, A13). */
	tagName: (displayName: string) => string = hashtag;
	random: Random;
	/** The newest first. Older ones are dropped. */
	news: NewsOfMembers[] = [];

	/** The initial state, kept because restoring it takes a third of the time of filling it again. */
	private readonly start: { records: Buffer; callerId: number; random: Random };
	private readonly lastId = new Map<Kind, number>();
	private readonly idByUsername = new Map<string, number>();
	private readonly idByEmail = new Map<string, number>();
	private readonly sortedMembers = new Map<string, readonly User[]>();
	private lastNews = 0;

	constructor(readonly options: CommunityOptions) {
		super();
		this.startedAt = options.now();
		this.random = new Random(options.seed);
		seedCommunity(this);
		const { callerId, random } = this;
		this.start = { records: serialize(this.records), callerId, random: random.copy() };
	}

	/** Restores the initial state. */
	reset(): void {
		const before = deserialize(this.start.records) as typeof this.records;
		for (const [index, map] of this.records.entries()) {
			map.clear();
			for (const [key, value] of before[index]) map.set(key, value);
		}
		this.sortedMembers.clear();
		this.callerId = this.start.callerId;
		this.tagName = hashtag;
		this.random = this.start.random.copy();
		this.news = [];
	}

	/**
	 * Restores every record, for another attempt. Later records get IDs that no record had before, because a trigger
	 * remembers members and would treat a new one as known.
	 */
	startOver(): void {
		const { random } = this;
		const ids = new Map(this.lastId);
		this.reset();
		for (const [kind, id] of ids) this.lastId.set(kind, id);
		this.random = random;
	}

	private get records(): Array<Map<unknown, unknown>> {
		const maps = [this.boards, this.boardMembers, this.users, this.roles, this.posts];
		const more = [this.comments, this.replies, this.tags, this.tagMappings, this.lastId];
		return [...maps, ...more, this.idByUsername, this.idByEmail];
	}

	/** The next free id of a kind; the first one is `first`. */
	nextId(kind: Kind, first = 1): number {
		const id = (this.lastId.get(kind) ?? first - 1) + 1;
		this.lastId.set(kind, id);
		return id;
	}

	timestamp(): string {
		return this.options.now().toISOString();
	}

	get caller(): User {
		return found(this.users, this.callerId, 'user');
	}

	/**
	 * Adds a line to the page's news. If the same happens to several members in quick succession, they share a line.
	 *
	 * @param template has `{who}` instead of the member's name
	 */
	tell(template: string, user?: User): void {
		const now = Date.now();
		const isSame = (each: NewsOfMembers) =>
			each.template === template && now - Date.parse(each.time) < BULK_MS;
		const same = user && this.news.find(isSame);
		const members = same?.members ?? new Set();
		if (user) members.add(user);
		const text = user ? template.replace('{who}', () => namesOf([...members].reverse())) : template;
		const line = {
			id: ++this.lastNews,
			time: new Date(now).toISOString(),
			text,
			template,
			members,
		};
		this.news = [line, ...this.news.filter((each) => each !== same)].slice(0, MOST_NEWS);
	}

	roleName(id: number): string {
		return this.roles.get(id)?.role_name ?? String(id);
	}

	/** The members of a private board who are still in the community. */
	membersOf(boardId: number): User[] {
		const msids = [...(this.boardMembers.get(boardId) ?? [])];
		return msids.flatMap((msid) => this.users.get(Number(msid.split('.', 1)[0])) ?? []);
	}

	/** The role that new members get. */
	get defaultRole(): Role {
		const role = [...this.roles.values()].find(({ is_default }) => is_default);
		if (!role) throw new ApiError(500, 'the community has no default role');
		return role;
	}

	/** Finds a member by user_id or msid. Throws a 404 that names the unknown ID. */
	user(id: number | string): User {
		const text = String(id);
		const user = this.users.get(Number(text.split('.', 1)[0]));
		if (!user || (text.includes('.') && text !== user.msid)) {
			throw new ApiError(404, `no user has the id ${text}`);
		}
		return user;
	}

	/**
	 * Adds a member without an event for the webhooks. Fields that are not set get the API's defaults. Throws a 409 if
	 * the username or the email is taken.
	 */
	addUser(profile: Profile): User {
		const user_id = profile.user_id ?? this.nextId('user', FIRST_USER_ID);
		const sid = profile.sid ?? this.random.hex(12);
		const created_at = profile.created_at ?? this.timestamp();
		const user: User = {
			user_avatar: null,
			middle_name: null,
			last_name: null,
			role_id: profile.role_id ?? this.defaultRole.role_id,
			is_bot: false,
			user_status: UserStatus.ACTIVE,
			last_modified_at: created_at,
			user_description: null,
			banner: null,
			social_media_links: null,
			meta: null,
			login_count: 0,
			post_count: 0,
			comment_count: 0,
			reply_count: 0,
			sso_id: null,
			lang: 'en',
			timezone: 'UTC',
			...profile,
			username: profile.username ?? `member${user_id}`,
			email: profile.email ?? `member${user_id}@members.example`,
			user_id,
			sid,
			msid: `${user_id}.${sid}`,
			created_at,
		};
		this.refuseTaken(user);
		this.users.set(user_id, user);
		this.idByUsername.set(user.username.toLowerCase(), user_id);
		this.idByEmail.set(user.email.toLowerCase(), user_id);
		this.sortedMembers.clear();
		return user;
	}

	/**
	 * Changes fields of a member. If the username or the email belongs to another member, throws a 409 and changes
	 * nothing.
	 */
	changeUser(id: number | string, changes: Partial<User>): User {
		const user = this.user(id);
		const changed = { ...user, ...changes };
		this.refuseTaken(changed);
		this.idByUsername.delete(user.username.toLowerCase());
		this.idByEmail.delete(user.email.toLowerCase());
		this.tellOfChanges(user, changes);
		Object.assign(user, changes, { last_modified_at: this.timestamp() });
		this.idByUsername.set(user.username.toLowerCase(), user.user_id);
		this.idByEmail.set(user.email.toLowerCase(), user.user_id);
		const sortedBy: Array<keyof User> = ['user_status', 'first_name', 'last_name', 'created_at'];
		if (sortedBy.some((field) => field in changes)) this.sortedMembers.clear();
		return user;
	}

	/** Makes a member join, and sends the event to the webhooks. */
	join(profile: Partial<User> = {}): User {
		const user = this.addUser({ first_name: 'New', ...profile });
		this.tellOfJoining(user);
		return user;
	}

	/** Puts a new person on the wait-list, and sends the event to the webhooks. */
	waitlist(profile: Partial<User> = {}): User {
		const user = this.addUser({
			first_name: 'New',
			...profile,
			user_status: UserStatus.WAITLIST,
		});
		this.tell('{who} joined the wait-list.', user);
		this.emit('member.joined_waitlist', user);
		return user;
	}

	/** Approves a wait-listed member, and sends the event to the webhooks. */
	admit(id: number | string): User {
		const user = this.changeUser(id, { user_status: UserStatus.ACTIVE });
		this.tellOfJoining(user);
		return user;
	}

	/** Lets members join, and the newest ones leave. */
	joinAndLeave({ join = 0, leave = 0 }: { join?: number; leave?: number }): void {
		for (let count = join; count > 0; count--) this.join();
		const newest = this.members(UserStatus.ACTIVE, 'joined', 'desc').slice(0, leave);
		for (const { msid } of newest) this.removeUser(msid);
	}

	/** Sets a member's role. Throws a 404 if the role does not exist. */
	promote(id: number | string, roleId: number): User {
		found(this.roles, roleId, 'role');
		return this.changeUser(id, { role_id: roleId });
	}

	/** Removes a member permanently. */
	removeUser(id: number | string): void {
		const user = this.user(id);
		this.users.delete(user.user_id);
		this.idByUsername.delete(user.username.toLowerCase());
		this.idByEmail.delete(user.email.toLowerCase());
		for (const members of this.boardMembers.values()) members.delete(user.msid);
		this.sortedMembers.clear();
		this.tell('{who} was removed.', user);
	}

	/** The members with a status in the requested order. Members with equal values are sorted by ID. */
	members(status: number, sortBy: MemberSort, order: 'asc' | 'desc'): readonly User[] {
		const key = `${status} ${sortBy} ${order}`;
		const known = this.sortedMembers.get(key);
		if (known) return known;
		const name = (user: User) => `${user.first_name} ${user.last_name ?? ''}`.toLowerCase();
		const value: Record<MemberSort, (user: User) => number | string> = {
			user_id: (user) => user.user_id,
			joined: (user) => Date.parse(user.created_at),
			name,
		};
		const keyed = [...this.users.values()]
			.filter((user) => user.user_status === status)
			.map((user) => ({ user, by: value[sortBy](user) }));
		keyed.sort((a, b) => (a.by === b.by ? a.user.user_id - b.user.user_id : a.by < b.by ? -1 : 1));
		if (order === 'desc') keyed.reverse();
		const sorted = keyed.map(({ user }) => user);
		this.sortedMembers.set(key, sorted);
		return sorted;
	}

	/** Adds tags to those of an entity. */
	tagEntity(type: string, id: number, tagIds: Iterable<number>): void {
		const key = `${type}:${id}`;
		this.tagMappings.set(key, new Set([...(this.tagMappings.get(key) ?? []), ...tagIds]));
	}

	private tellOfJoining(user: User): void {
		this.tell(`{who} joined as ${this.roleName(user.role_id)}.`, user);
		this.emit('member.joined', user);
	}

	private tellOfChanges(user: User, changes: Partial<User>): void {
		const { role_id = user.role_id, user_status = user.user_status, ...others } = changes;
		if (role_id !== user.role_id) {
			const [before, after] = [user.role_id, role_id].map((id) => this.roleName(id));
			this.tell(`Role of {who}: ${before} → ${after}`, user);
		}
		if (user_status !== user.user_status) {
			this.tell(`Status of {who}: ${statusName(user)} → ${statusName({ user_status })}`, user);
		}
		// An empty field can be null, '' or {}.
		const changed = Object.entries(others).filter(
			([key, value]) => !isDeepStrictEqual(value || {}, user[key as keyof User] || {}),
		);
		if (changed.length === 0) return;
		this.tell(`Profile of {who} changed: ${changed.map(([key]) => key).join(', ')}`, user);
	}

	private refuseTaken(user: User): void {
		const owners = [
			['username', this.idByUsername.get(user.username.toLowerCase())],
			['email', this.idByEmail.get(user.email.toLowerCase())],
		] as const;
		for (const [field, owner] of owners) {
			if (owner !== undefined && owner !== user.user_id) {
				throw new ApiError(409, `${field} ${user[field]} is taken`);
			}
		}
	}
}

/** E.g. `Ida Noor, Elif Weber and 38 more`: the first few by name. */
function namesOf(users: User[]): string {
	const more = users.length - MOST_NAMES;
	const names = users.slice(0, MOST_NAMES).map(fullName);
	return NAMES.format(more > 0 ? [...names, `${more} more`] : names);
}
