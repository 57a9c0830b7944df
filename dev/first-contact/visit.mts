import { operations, schemaCheck, undocumented } from '../../sandbox/openapi.mts';
import type { Answer, Community } from './community.mts';

/** As documented or not. `open` answers a question that the documentation leaves open. */
export type Verdict = 'as documented' | 'differs' | 'open' | 'not checked';

/** One line of the report. It holds no texts of members. */
export interface Finding {
	what: string;
	verdict: Verdict;
	found: string;
}

/** IDs of contents, because the API does not list them. */
export interface Contents {
	post?: string;
	comment?: string;
	reply?: string;
}

type Json = Record<string, unknown>;

const WAITLIST = 4;
const LARGEST_PAGE = 50;
/** Small, so that two pages show how a list continues. */
const SMALL_PAGE = 5;
/** An ID that hardly any community has reached. */
const UNKNOWN_ID = 999_999_999;

const TAG = /<[a-z][^<>]*>/i;

const isError = schemaCheck('Error');

/**
 * Reads the parts of a community that the node depends on, and compares them with docs/api/openapi.yaml.
 *
 * @param note receives each finding
 * @returns false if the community does not accept the key, or if the address is not a community's
 */
export async function visit(
	community: Community,
	contents: Contents,
	note: (finding: Finding) => void,
): Promise<boolean> {
	const open = (what: string, found: string) => note({ what, verdict: 'open', found });
	const judge = (what: string, isRight: boolean, found: string) =>
		note({ what, verdict: isRight ? 'as documented' : 'differs', found });

	/** Requests an operation, and notes whether the answer is as documented. */
	const check = async (
		operationId: string,
		{ id, query, remark = '' }: { id?: unknown; query?: Json; remark?: string } = {},
	): Promise<Answer & { isOk: boolean }> => {
		const { path } = operations.get(operationId)!;
		const answer = await community.get(
			path.replace(/\{\w+\}/, encodeURIComponent(String(id))),
			query,
		);
		const findings = undocumented(operationId, answer);
		const { has_more: hasMore = '0' } = answer.headers;
		if (hasMore !== '0' && hasMore !== '1') findings.push('the header has_more is neither 0 nor 1');
		const isOk = answer.status === 200 && isAskedFor(operationId, id, answer.data);
		const what = `GET ${path}${remark && `, ${remark}`}`;
		if (!isOk) {
			const found = answer.status === 200 ? 'not what was asked for' : described(answer);
			judge(what, false, found);
		} else judge(what, findings.length === 0, findings.join('; ') || `${answer.ms} ms`);
		return { ...answer, isOk };
	};

	/** Checks a list: its largest page, and whether two small ones contain the same records. */
	const checkList = async (operationId: string, idField: string): Promise<Json[]> => {
		const read = async (page: number, page_size: number) =>
			recordsOf(
				await check(operationId, { query: { page, page_size }, remark: `${page_size} a page` }),
			);
		const whole = await read(1, LARGEST_PAGE);
		const parts = [...(await read(1, SMALL_PAGE)), ...(await read(2, SMALL_PAGE))];
		const ids = (records: Json[]) => records.map((record) => record[idField]).join();
		const isSame = ids(parts) === ids(whole.slice(0, 2 * SMALL_PAGE));
		const found = isSame ? 'the same records' : 'other records, or another order, than on one page';
		judge(`${operationId}, two pages after one another`, isSame, found);
		return whole;
	};

	const self = await check('user.getSelf');
	if (!self.isOk) return false;
	open('Role of the owner of the key', String(Number((self.data as Json).role_id)));

	const users = await checkList('user.getAll', 'msid');
	const boards = await checkList('board.getAll', 'board_id');
	const tags = await checkList('tag.getAll', 'tag_id');
	await check('role.getAll', { query: { page_size: LARGEST_PAGE } });
	const waiting = recordsOf(
		await check('user.getAll', { query: { status: WAITLIST }, remark: 'on the wait-list' }),
	);
	const others = waiting.filter(({ user_status: status }) => Number(status) !== WAITLIST).length;
	judge('Filter by status', others === 0, `${others} of another status`);
	const joined = recordsOf(
		await check('user.getAll', { query: { sort_by: 'joined', order: 'desc' }, remark: 'by date' }),
	).map(({ created_at: time }) => Date.parse(String(time)));
	const isOrdered = joined.every((time, index) => index === 0 || time <= joined[index - 1]);
	judge('Order by date of joining', isOrdered, `${joined.length} members`);

	const [[user], [board], [tag]] = [users, boards, tags];
	if (user) {
		await check('user.get', { id: user.msid });
		await check('tag.getForEntity', { query: { ref_type: 'USER', ref_id: String(user.msid) } });
		const byNumber = await community.get(`/api/v1/users/${String(user.user_id)}`);
		open('A user read by number', byNumber.status === 200 ? 'works' : described(byNumber));
		const isFractional = users.some(({ created_at: time }) => String(time).includes('.'));
		open('Times', isFractional ? 'with fractions of a second' : 'in whole seconds');
	}
	if (board) await check('board.get', { id: board.board_id });
	if (tag) {
		await check('tag.get', { id: tag.tag_id });
		await check('tag.getAll', { query: { ids: String(tag.tag_id) }, remark: 'by IDs' });
		await check('tag.search', { query: { q: String(tag.name) } });
	}
	const [pinned] = boards.flatMap(({ pinned_posts: posts }) => (Array.isArray(posts) ? posts : []));
	for (const kind of ['post', 'comment', 'reply'] as const) {
		const id = contents[kind] ?? (kind === 'post' ? pinned : undefined);
		const name = `name one: --${kind} <${kind}_id>`;
		if (id === undefined) {
			note({ what: `A ${kind}`, verdict: 'not checked', found: name });
			continue;
		}
		const { isOk, data } = await check(`${kind}.get`, { id });
		// The node assumes that it is HTML (docs/decisions.md, A36).
		const isMarkup = isOk && TAG.test(String((data as Json).content));
		if (isOk) open(`Content of a ${kind}`, isMarkup ? 'with HTML tags' : 'without HTML tags');
	}

	const unknown = await community.get(`/api/v1/boards/${UNKNOWN_ID}`);
	const isRefused = unknown.status === 404 && isError(unknown.data);
	judge('A board that does not exist', isRefused, described(unknown));
	open('Headers about rate limits', [...community.limitHeaders].sort().join(', ') || 'none');
	return true;
}

/** Whether the answer is the record with the requested ID. */
function isAskedFor(operationId: string, id: unknown, data: unknown): boolean {
	if (typeof data !== 'object' || data === null) return false;
	const [kind] = operationId.split('.');
	const record = data as Json;
	if (operationId === 'user.getSelf') return typeof record.msid === 'string';
	return id === undefined || String(record[kind === 'user' ? 'msid' : `${kind}_id`]) === String(id);
}

function recordsOf({ isOk, data }: { isOk: boolean; data: unknown }): Json[] {
	const isRecord = (each: unknown) => typeof each === 'object' && each !== null;
	return isOk && Array.isArray(data) ? (data as Json[]).filter(isRecord) : [];
}

/** The status, and the API's name for it. */
function described({ status, data }: Answer): string {
	if (isError(data)) return `${status} ${(data as { status: string }).status}`;
	if (status >= 300 && status < 400) return `${status}, a redirect`;
	return `${status}, not an answer of the API`;
}
