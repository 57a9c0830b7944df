import { changesFor } from './changes.mts';
import type { News } from './community.mts';
import { outcomeOf, subjectOf } from './outcome.mts';
import { type Board, fullName, type Post, type Role, statusName, UserStatus } from './records.mts';
import type { Tag, User } from './records.mts';
import type { Sandbox } from './server.mts';
import type { WebhookAddress } from './webhooks.mts';

/** The data of the page. All texts are plain, even if they look like HTML. */
export interface View {
	/** The values to enter in n8n, by label. */
	credential: Record<string, string>;
	/** The newest first, as in all lists. */
	news: News[];
	/** Addresses that receive events about members. */
	webhooks: readonly WebhookAddress[];
	/** Members who can be changed, by the label of their group: those on the wait-list, then others in the table. */
	candidates: Record<string, Candidate[]>;
	/** Roles that a member can get. */
	roles: Role[];
	/** Tables by the ID of their section. */
	tables: Record<string, Table>;
}

/** A member who can be changed. */
export interface Candidate {
	msid: string;
	name: string;
	/** Tells members with the same name apart. */
	remark: string;
	/** The names of the changes that fit the member's status. */
	changes: string[];
}

/** The first rows of a list, each a map from the heading of a column to a text. `URL` makes the first text a link. */
export interface Table {
	/** How many rows there are. */
	total: number;
	rows: Row[];
}
type Row = Record<string, string | number | null>;

const MOST_ROWS = 50;
const MOST_REQUESTS = 200;

/**
 * Collects the data of the page.
 *
 * @param find words that a member, board, post or tag must all contain
 */
export function viewOf(sandbox: Sandbox, find = ''): View {
	const { community, requests, webhooks, settings, sourceSystem, webhookSecret } = sandbox;
	const nameOf = (id: number) => fullName(community.users.get(id));
	const rowOfMember = (user: User): Row => ({
		Name: fullName(user),
		Username: user.username,
		'E-mail': user.email,
		Role: community.roleName(user.role_id),
		Status: statusName(user),
		Posts: user.post_count,
		Joined: user.created_at,
		msid: user.msid,
		'Not shown by the API': hiddenOf(user),
	});
	const rowOfBoard = (board: Board): Row => ({
		Board: board.board_name,
		ID: board.board_id,
		Posts: board.post_count,
		'Members, if private': board.is_private
			? `private to ${namesIn(community.membersOf(board.board_id))}`
			: '',
	});
	const rowOfPost = (post: Post): Row => ({
		Post: post.headline,
		// At its URL, a post is shown in full.
		Text: words.includes(`/posts/${post.post_id}`) ? post.content : post.post_short_text,
		Board: community.boards.get(post.board_id)?.board_name ?? post.board_id,
		Author: nameOf(post.author_id),
		Created: post.created_at,
		URL: `/posts/${post.post_id}`,
	});
	const rowOfTag = (tag: Tag): Row => ({
		Tag: tag.display_name,
		Name: tag.name,
		ID: tag.tag_id,
		Description: tag.description,
		Colors: `${tag.text_color} on ${tag.back_color}`,
	});
	const words = find.toLowerCase().split(/\s+/).filter(Boolean);
	const search = <T,>(records: Iterable<T>, rowOf: (record: T) => Row): T[] => {
		// Records are kept in the order of their creation.
		const newest = [...records].reverse();
		return words.length === 0 ? newest : newest.filter((each) => holds(rowOf(each), words));
	};
	const tableOf = <T,>(found: T[], rowOf: (record: T) => Row): Table => ({
		total: found.length,
		rows: found.slice(0, MOST_ROWS).map(rowOf),
	});
	const table = <T,>(records: Iterable<T>, rowOf: (record: T) => Row): Table =>
		tableOf(search(records, rowOf), rowOf);
	const candidateOf = (user: User): Candidate => ({
		msid: user.msid,
		name: fullName(user),
		remark: `${user.username}: ${community.roleName(user.role_id)}, ${statusName(user)}`,
		changes: [...changesFor(user), 'remove'],
	});
	const waiting = community.members(UserStatus.WAITLIST, 'joined', 'desc').slice(0, MOST_ROWS);
	const members = search(community.users.values(), rowOfMember);
	const listed = members.slice(0, MOST_ROWS).filter((user) => !waiting.includes(user));
	const latest = (rows: Row[], total: number): Table => ({ total, rows: rows.reverse() });
	return {
		credential: {
			'Source System': sourceSystem,
			'API Key': settings.apiKey,
			'Webhook Secret': webhookSecret,
		},
		news: community.news.map(({ id, time, text }) => ({ id, time, text })),
		webhooks: webhooks.addresses,
		candidates: {
			'On the wait-list': waiting.map(candidateOf),
			'Listed below': listed.map(candidateOf),
		},
		roles: [...community.roles.values()],
		tables: {
			members: tableOf(members, rowOfMember),
			posts: table(community.posts.values(), rowOfPost),
			boards: table([...community.boards.values()].sort(byLastPost), rowOfBoard),
			tags: table(community.tags.values(), rowOfTag),
			deliveries: latest(
				webhooks.deliveries.slice(-MOST_ROWS).map((delivery) => ({
					Time: new Date(delivery.startedAt).toISOString(),
					Event: subjectOf(delivery),
					Outcome: outcomeOf(delivery),
				})),
				webhooks.deliveries.length,
			),
			requests: latest(
				requests.all.slice(-MOST_REQUESTS).map(({ startedAt, endedAt, method, url, status }) => ({
					Time: new Date(startedAt).toISOString(),
					Request: `${method} ${url.length > 300 ? `${url.slice(0, 299)}…` : url}`,
					Status: status ?? (endedAt === null ? 'open' : 'cut'),
					Took: endedAt === null ? '' : `${Math.round(endedAt - startedAt)} ms`,
				})),
				requests.total,
			),
		},
	};
}

/** Counts all members, not only those that the page shows. */
function namesIn(members: User[]): string {
	const names = members.map(fullName).join(', ');
	return names === '' ? 'nobody' : `${members.length}: ${names}`;
}

/** The fields that an update must send because the API does not return them. Empty fields are left out. */
function hiddenOf(user: User): string {
	const links = user.social_media_links ?? {};
	const fields = {
		'Banner URL': user.banner,
		Language: user.lang,
		'Last Name': user.last_name,
		'Middle Name': user.middle_name,
		'Social Media Links': Object.keys(links).length > 0 ? JSON.stringify(links) : null,
		Timezone: user.timezone,
	};
	return Object.entries(fields)
		.flatMap(([label, value]) => (value ? `${label}: ${value}` : []))
		.join('; ');
}

function holds(row: Row, words: string[]): boolean {
	const text = Object.values(row).join(' ').toLowerCase();
	return words.every((word) => text.includes(word));
}

/** Boards without posts first, in reverse order, because lists are shown from their end. */
function byLastPost(a: Board, b: Board): number {
	const [first, second] = [a.last_posted_at ?? '', b.last_posted_at ?? ''];
	if (first !== second) return Date.parse(first || '0') - Date.parse(second || '0');
	return b.display_order - a.display_order;
}
