import { type Contents, checkContents } from './checks/contents.mts';
import { checkCredential } from './checks/credential.mts';
import { checkListing, type Listing } from './checks/listing.mts';
import { answerQuestions } from './checks/questions.mts';
import { checkRecord, checkUnknownRecord, type Single } from './checks/record.mts';
import { checkTags } from './checks/tags.mts';
import { type Finding, Findings, type Use } from './finding.mts';
import type { Json } from './forms.mts';
import { type Answer, type Contact, NoAnswer, type Pace, Visitor } from './visitor.mts';

/** What a visit gave. */
export interface Visit {
	findings: Finding[];
	answers: Answer[];
	/** How many requests were sent. */
	requests: number;
	/** Why it ended early, if it did. */
	ended?: string;
}

const WAITLIST = 4;

/**
 * Reads from a community all that the node rests on, and compares it with what is documented. Sends nothing but
 * GET requests.
 *
 * @param contents a post, a comment and a reply to read
 */
export async function visit(contact: Contact, pace: Pace, contents: Contents): Promise<Visit> {
	const visitor = new Visitor(contact, pace);
	const findings = new Findings();
	let ended: string | undefined;
	try {
		if (await checkCredential(visitor, findings)) await checkAll(visitor, findings, contents);
	} catch (error) {
		if (!(error instanceof NoAnswer)) throw error;
		ended = error.message;
	}
	const { answers, requests } = visitor;
	return { findings: findings.all, answers, requests, ended };
}

async function checkAll(visitor: Visitor, findings: Findings, contents: Contents): Promise<void> {
	const list = async (listing: Listing) => await checkListing(visitor, findings, listing);
	const users = await list(USERS);
	noteStatus(findings, await list(WAITLISTED));
	const roles = await list(ROLES);
	noteNames(findings, 'Roles', roles, 'role_name');
	const boards = await list(BOARDS);
	noteNames(findings, 'Boards', boards, 'board_name');
	const tags = await list(TAGS);
	noteNames(findings, 'Tags', tags, 'name');
	await checkTags(visitor, findings, tags, users[0]);

	const read = async ([record]: Json[], { path, ...single }: Omit<Single, 'id'>) => {
		const id = record?.[single.idField];
		if (id === undefined) return undefined;
		const own = `${path}/${encodeURIComponent(String(id))}`;
		return await checkRecord(visitor, findings, { ...single, path: own, id });
	};
	const member = await read(users, USER);
	await read(boards, BOARD);
	await read(tags, TAG);
	const written = await checkContents(visitor, findings, boards, contents);
	await checkUnknownRecord(visitor, findings);
	await answerQuestions(visitor, findings, { boards, users, contents: written, member });
}

const USERS: Listing = {
	...{ part: 'Users', path: '/api/v1/users', idField: 'msid', form: 'UserListItem' },
	uses: ['listings', 'polling'],
	orders: [
		order('user_id', 'asc', 'user_id', ['listings']),
		order('user_id', 'desc', 'user_id', ['listings']),
		order('joined', 'desc', 'created_at', ['listings', 'polling']),
		order('name', 'asc', 'first_name', ['listings']),
	],
};
const WAITLISTED: Listing = {
	...{ part: 'Users on the wait-list', path: '/api/v1/users', query: { status: WAITLIST } },
	...{ idField: 'msid', form: 'UserListItem', uses: ['listings', 'polling'] },
};
const ROLES: Listing = {
	...{ part: 'Roles', path: '/api/v1/roles', idField: 'role_id', form: 'Role' },
	uses: ['listings', 'names'],
};
const BOARDS: Listing = {
	...{ part: 'Boards', path: '/api/v1/boards', idField: 'board_id', form: 'Board' },
	uses: ['listings', 'names'],
};
const TAGS: Listing = {
	...{ part: 'Tags', path: '/api/v1/tags', idField: 'tag_id', form: 'TagSummary' },
	uses: ['listings', 'names'],
	orders: [order('id', 'asc', 'tag_id', ['listings']), order('name', 'desc', 'name', ['listings'])],
};
const USER: Omit<Single, 'id'> = {
	...{ part: 'User', path: '/api/v1/users', idField: 'msid', form: 'UserGet' },
	uses: ['records', 'updates', 'confirming'],
};
const BOARD: Omit<Single, 'id'> = {
	...{ part: 'Board', path: '/api/v1/boards', idField: 'board_id', form: 'Board' },
	uses: ['records', 'updates'],
};
const TAG: Omit<Single, 'id'> = {
	...{ part: 'Tag', path: '/api/v1/tags', idField: 'tag_id', form: 'TagFull' },
	uses: ['records', 'updates'],
};

function order(sortBy: string, direction: 'asc' | 'desc', field: string, uses: Use[]) {
	const query = { sort_by: sortBy, order: direction };
	return { query, field, isDescending: direction === 'desc', uses };
}

function noteStatus(findings: Findings, users: Json[]): void {
	const note = findings.about(WAITLISTED.part, WAITLISTED.uses);
	const others = users.filter(({ user_status: status }) => Number(status) !== WAITLIST).length;
	if (users.length === 0) note('Filtered by status', 'not checked', 'no records');
	else if (others === 0) note('Filtered by status', 'as documented', `${users.length} members`);
	else note('Filtered by status', 'in the way', `${others} of ${users.length} have another status`);
}

// A name that two records have, or one that is not shown, cannot be chosen by.
function noteNames(findings: Findings, part: string, records: Json[], field: string): void {
	const note = findings.about(part, ['names']);
	if (records.length === 0) return note('Names', 'not checked', 'no records');
	const names = records.map((record) => record[field]).filter((name) => typeof name === 'string');
	const distinct = new Set(names.map((name) => name.trim().toLowerCase()));
	const missing = records.length - names.length;
	const repeated = names.length - distinct.size;
	if (missing > 0) note('Names', 'in the way', `${missing} of ${records.length} without ${field}`);
	else if (repeated > 0) note('Names', 'differs', `${repeated} are the same as another one`);
	else note('Names', 'as documented', `${names.length}, all different`);
}
