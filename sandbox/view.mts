import type { Fault } from './faults.mts';
import { openApi } from './openapi.mts';
import { type Outcome, outcomeOf, reasonOf, shortAddress } from './outcome.mts';
import type { SandboxParts } from './parts.mts';
import type { RateLimitSettings } from './rate-limit.mts';
import type { RecordedRequest } from './recorder.mts';
import type { Board, Post, User } from './records.mts';
import { plainText } from './text.mts';
import type { Delivery, WebhookAddress } from './webhooks.mts';

/** What the page asks for: how many rows of each list, and words that members are looked for by. */
export type ViewQuery = Partial<Record<keyof typeof DEFAULT_ROWS | 'find', string>>;

/** Everything that the page shows. All texts are plain; whatever looks like HTML in them is none. */
export interface View {
	credential: { sourceSystem: string; apiKey: string; webhookSecret: string };
	/** The newest few, whatever is looked for; the newest first, as in all lists. */
	newest: { members: MemberRow[]; posts: PostRow[]; deliveries: DeliveryRow[] };
	members: List<MemberRow>;
	/** Those with the newest posts first, then the others in their order. */
	boards: List<BoardRow>;
	tags: List<TagRow>;
	requests: List<RequestRow> & { refused: number };
	/** How many records were updated, by resource in the plural. */
	updates: Record<string, number>;
	deliveries: List<DeliveryRow>;
	webhooks: readonly WebhookAddress[];
	rateLimit: RateLimitSettings | null;
	faults: Array<{ id: number; fault: Fault; hits: number }>;
}

/** The first rows of a list. */
export interface List<Row> {
	/** How many rows there are. */
	total: number;
	rows: Row[];
}
/** Times are timestamps (ISO 8601). */
export interface MemberRow {
	id: number;
	name: string;
	username: string;
	msid: string;
	role: string;
	status: string;
	postCount: number;
	joined: string;
	/** What an update through the API has to give, because the API does not show it; by label, empty where there is none. */
	profile: Record<string, string>;
}
export interface PostRow {
	id: number;
	headline: string;
	text: string;
	board: string;
	author: string;
	/** Empty while it is active. */
	status: string;
	created: string;
}
export interface BoardRow {
	id: number;
	name: string;
	isPrivate: boolean;
	/** Who may use it, by name, where it is private. */
	members: string[];
	postCount: number;
	latest: PostRow[];
}
export interface TagRow {
	id: number;
	name: string;
	displayName: string;
	description: string;
	/** Hex colours of its label. */
	backColor: string;
	textColor: string;
}
export interface RequestRow {
	id: number;
	method: string;
	url: string;
	/** Null while it is open, and when the connection ended without an answer. */
	status: number | null;
	isOpen: boolean;
	begun: string;
	milliseconds: number | null;
}
export interface DeliveryRow extends Outcome {
	id: number;
	/** The number of the delivery that this one repeats. */
	repeats: number | null;
	event: string;
	/** Name of the member whom it is about, if it is about one. */
	about: string;
	url: string;
	/** The address as it is named in a sentence. */
	place: string;
	isOpen: boolean;
	status: number | null;
	/** What was answered, or why nothing was. */
	answer: string;
	begun: string;
}

const DEFAULT_ROWS = { members: 10, boards: 6, tags: 6, requests: 10, deliveries: 10 };
const MOST_ROWS = 1_000;
const NEWEST = 10;
/** More than of other lists: each new member is announced to every address between two requests of the page. */
const NEWEST_DELIVERIES = 100;
const POSTS_PER_BOARD = 3;
const MOST_CHARACTERS = 300;
/** What n8n answers on a 404, with its hint, takes more than 400. */
const MOST_OF_ANSWER = 800;

const statusNames = (schema: string): Map<number, string> => {
	const { enum: codes, 'x-enum-varnames': names } = openApi.components.schemas[schema];
	return new Map((codes as number[]).map((code, index) => [code, (names as string[])[index]]));
};
const userStatus = statusNames('UserStatus');
const entityStatus = statusNames('EntityStatus');
const ACTIVE = 'ACTIVE';

/** Puts together what the page shows. A number of rows that is none, or too high, is brought in bounds. */
export function viewOf(parts: SandboxParts, query: ViewQuery): View {
	const { settings, sourceSystem, webhookSecret, community, recorder, rateLimit } = parts;
	const { faults, webhooks } = parts;
	const rows = (list: keyof typeof DEFAULT_ROWS) =>
		Math.max(1, Math.min(Number(query[list]) || DEFAULT_ROWS[list], MOST_ROWS));
	const nameOf = (id: number) => fullName(community.users.get(id));
	const toMember = (user: User): MemberRow => ({
		id: user.user_id,
		name: fullName(user),
		username: user.username,
		msid: user.msid,
		role: community.roles.get(user.role_id)?.role_name ?? String(user.role_id),
		status: userStatus.get(user.user_status) ?? String(user.user_status),
		postCount: user.post_count,
		joined: user.created_at,
		profile: profileOf(user),
	});
	const toPost = (post: Post): PostRow => {
		const status = entityStatus.get(post.post_status) ?? String(post.post_status);
		return {
			id: post.post_id,
			headline: post.headline,
			text: atMost(MOST_CHARACTERS, post.clean_text),
			board: community.boards.get(post.board_id)?.board_name ?? String(post.board_id),
			author: nameOf(post.author_id),
			status: status === ACTIVE ? '' : status,
			created: post.created_at,
		};
	};
	const members = newestFirst(community.users.values());
	const posts = newestFirst(community.posts.values());
	const words = (query.find ?? '').toLowerCase().split(/\s+/).filter(Boolean);
	const found =
		words.length === 0 ? members : members.filter((user) => holds(toMember(user), words));
	const boards = boardsByPosts([...community.boards.values()], posts);
	const tags = [...community.tags.values()];
	const requests = recorder.all;
	const { deliveries } = webhooks;
	return {
		credential: { sourceSystem, apiKey: settings.apiKey, webhookSecret },
		newest: {
			members: members.slice(0, NEWEST).map(toMember),
			posts: posts.slice(0, NEWEST).map(toPost),
			deliveries: newestFirst(deliveries.slice(-NEWEST_DELIVERIES)).map(toDelivery),
		},
		members: { total: found.length, rows: found.slice(0, rows('members')).map(toMember) },
		boards: {
			total: boards.length,
			rows: boards.slice(0, rows('boards')).map(({ board, latest }) => ({
				id: board.board_id,
				name: board.board_name,
				isPrivate: board.is_private,
				members: [...(community.boardMembers.get(board.board_id) ?? [])].map((msid) =>
					nameOf(Number(msid.split('.', 1)[0])),
				),
				postCount: board.post_count,
				latest: latest.map(toPost),
			})),
		},
		tags: {
			total: tags.length,
			rows: newestFirst(tags)
				.slice(0, rows('tags'))
				.map((tag) => ({
					id: tag.tag_id,
					name: tag.name,
					displayName: tag.display_name,
					description: tag.description ?? '',
					backColor: tag.back_color,
					textColor: tag.text_color,
				})),
		},
		requests: {
			total: recorder.total,
			refused: rateLimit.refused,
			rows: newestFirst(requests.slice(-rows('requests'))).map(toRequest),
		},
		updates: updatesOf(recorder.updates),
		deliveries: {
			total: deliveries.length,
			rows: newestFirst(deliveries.slice(-rows('deliveries'))).map(toDelivery),
		},
		webhooks: webhooks.addresses,
		rateLimit: rateLimit.settings,
		faults: faults.list().map(({ id, fault, hits }) => ({ id, fault, hits })),
	};
}

// The page calls the API's users members.
function updatesOf({ users, ...others }: Record<string, number>): View['updates'] {
	return users === undefined ? others : { members: users, ...others };
}

/** Records are kept in the order in which they were made. */
function newestFirst<T>(records: Iterable<T>): T[] {
	return [...records].reverse();
}

function fullName(user: User | undefined): string {
	if (user === undefined) return 'a member who has left';
	return [user.first_name, user.middle_name, user.last_name].filter(Boolean).join(' ');
}

function profileOf(user: User): MemberRow['profile'] {
	const links = Object.entries(user.social_media_links ?? {});
	return {
		'Banner URL': user.banner ?? '',
		Language: user.lang,
		'Last Name': user.last_name ?? '',
		'Middle Name': user.middle_name ?? '',
		'Social Media Links': links.length === 0 ? '' : JSON.stringify(Object.fromEntries(links)),
		Timezone: user.timezone,
	};
}

/** Whether each of the words, in small letters, occurs in what is shown of a member. */
function holds({ name, username, msid, role, status }: MemberRow, words: string[]): boolean {
	const text = [name, username, msid, role, status].join(' ').toLowerCase();
	return words.every((word) => text.includes(word));
}

function boardsByPosts(boards: Board[], posts: Post[]): Array<{ board: Board; latest: Post[] }> {
	const latest = new Map<number, Post[]>(boards.map(({ board_id }) => [board_id, []]));
	const withPosts = new Set<number>();
	for (const post of posts) {
		withPosts.add(post.board_id);
		const ofBoard = latest.get(post.board_id);
		if (ofBoard && ofBoard.length < POSTS_PER_BOARD) ofBoard.push(post);
	}
	const places = new Map([...withPosts].map((id, place) => [id, place]));
	const place = ({ board_id }: Board) => places.get(board_id) ?? Infinity;
	const sorted = boards.toSorted((a, b) =>
		place(a) === place(b) ? a.display_order - b.display_order : place(a) - place(b),
	);
	return sorted.map((board) => ({ board, latest: latest.get(board.board_id) ?? [] }));
}

function toRequest(request: RecordedRequest): RequestRow {
	const { sequence, method, url, status, startedAt, endedAt } = request;
	return {
		id: sequence,
		method,
		url: atMost(MOST_CHARACTERS, url),
		status,
		isOpen: endedAt === null,
		begun: new Date(startedAt).toISOString(),
		milliseconds: endedAt === null ? null : Math.round(endedAt - startedAt),
	};
}

function toDelivery(delivery: Delivery): DeliveryRow {
	const { number, repeats, payload, address, startedAt, endedAt, status, answer, reason } =
		delivery;
	const [user] = (payload.entities.user ?? []) as User[];
	return {
		id: number,
		repeats: repeats ?? null,
		event: payload.event,
		about: user ? fullName(user) : '',
		url: address.url,
		place: address.name ?? shortAddress(address.url),
		...outcomeOf(delivery),
		isOpen: endedAt === null,
		status,
		answer: atMost(MOST_OF_ANSWER, plainText(saidIn(answer ?? reasonOf(reason)))),
		begun: new Date(startedAt).toISOString(),
	};
}

// n8n adds a stack trace of its own code, which is of no use to a reader of the page.
function saidIn(answer: string): string {
	try {
		const { stacktrace, ...said } = JSON.parse(answer) as { stacktrace?: string };
		return stacktrace === undefined ? answer : JSON.stringify(said);
	} catch {
		return answer;
	}
}

function atMost(characters: number, text: string): string {
	return text.length > characters ? `${text.slice(0, characters - 1)}…` : text;
}
