import { ApiError, found } from '../errors.mts';
import { formOf } from '../forms.mts';
import type { Board } from '../records.mts';
import { type Call, type Handler, Listing, OK } from './handler.mts';

type BoardBody = Pick<
	Board,
	'board_name' | 'is_private' | 'hidden_type' | 'permission_for' | 'needs_approval'
> & { about?: string; icon?: string };
type ById<Body = unknown> = Call<{ board_id: number }, unknown, Body>;

const toBoard = formOf<Board>('Board');

const inOrder = (boards: Iterable<Board>) =>
	[...boards].sort((a, b) => a.display_order - b.display_order);

/** The endpoints of boards (docs/api/README.md, "Board"). */
export const boards: Record<string, Handler> = {
	'board.create': ({ body, community }: Call<unknown, unknown, BoardBody>) => {
		const board_id = community.nextId('board');
		const board: Board = {
			board_id,
			display_order: community.boards.size + 1,
			board_type: 'DISCUSSION',
			pinned_posts: [],
			post_count: 0,
			last_posted_at: null,
			icon: null,
			about: null,
			...body,
		};
		community.boards.set(board_id, board);
		community.boardMembers.set(board_id, new Set());
		return toBoard(board);
	},

	// The record is replaced, so fields that the body leaves out are lost.
	'board.update': ({ params, body, community }: ById<BoardBody>) => {
		const board = found(community.boards, params.board_id, 'board');
		return toBoard(Object.assign(board, { icon: null, about: null }, body));
	},

	'board.get': ({ params, community }: ById) =>
		toBoard(found(community.boards, params.board_id, 'board')),

	'board.getAll': ({ community }: Call) => new Listing(inOrder(community.boards.values()), toBoard),

	'board.reorder': ({
		body,
		community,
	}: Call<unknown, unknown, { display_order: Record<string, number> }>) => {
		const wanted = Object.entries(body.display_order).sort(([, a], [, b]) => a - b);
		const moved = new Set(wanted.map(([id]) => found(community.boards, id, 'board')));
		if (new Set(wanted.map(([, position]) => position)).size < wanted.length) {
			throw new ApiError(400, 'body.display_order gives one position to several boards');
		}
		// The other boards keep their order and fill the positions between.
		const order = inOrder(community.boards.values()).filter((board) => !moved.has(board));
		const places = wanted.map(([, position]) => position);
		[...moved].forEach((board, index) => order.splice(places[index] - 1, 0, board));
		order.forEach((board, index) => (board.display_order = index + 1));
		return OK;
	},

	'board.updateMembers': ({
		params,
		body,
		community,
	}: ById<{ member_changes: Record<string, boolean> }>) => {
		const { board_id, board_name } = found(community.boards, params.board_id, 'board');
		const members = community.boardMembers.get(board_id) ?? new Set<string>();
		const changes = Object.entries(body.member_changes);
		// Validates first, so that an unknown member leaves the board unchanged.
		for (const [msid] of changes) community.user(msid);
		for (const [msid, joins] of changes) {
			if (joins) members.add(msid);
			else members.delete(msid);
			const text = `{who} ${joins ? 'may use' : 'may no longer use'} ${board_name}.`;
			community.tell(text, community.user(msid));
		}
		community.boardMembers.set(board_id, members);
		return OK;
	},
};
