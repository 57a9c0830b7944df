import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { Clock, Random } from './clock.mts';
import { seconds } from './clock.mts';
import { ROLES, detailed, listed, msidOf, type Community, type Member } from './community.mts';
import type { Gateway } from './gateways.mts';
import type { Process } from './process.mts';

/** What goes wrong, each as a share of the requests. */
export interface Faults {
	/** The connection breaks before the API has the request. */
	lostBefore: number;
	/** The connection breaks after the API has carried the request out. */
	lostAfter: number;
	/** The API answers with a status of 500 or more, and has done nothing. */
	errorBefore: number;
	/** The same, but the API has carried the request out. */
	errorAfter: number;
	/** No answer comes, and the request was carried out. */
	silent: number;
	/** A page of a list cannot be read for a while. */
	page: number;
	/** Milliseconds by which reads are behind. */
	lagMs: number;
}

export const NO_FAULTS: Faults = {
	lostBefore: 0,
	lostAfter: 0,
	errorBefore: 0,
	errorAfter: 0,
	silent: 0,
	page: 0,
	lagMs: 0,
};

export type RetryAfter = 'none' | 'seconds' | 'date';

/** How this API does what the specification leaves open. */
export interface Habits {
	retryAfter: RetryAfter;
	/** The status for a new record that exists. */
	taken: 400 | 409 | 422;
	/** The status for an unknown member of a board. */
	unknownMember: 400 | 404;
	/** Whether a role change is answered with nothing instead of a message. */
	isSilent: boolean;
	/** How far the API's clock is ahead of n8n's. */
	skewMs: number;
	hasHeader: boolean;
	/** The most milliseconds that an answer usually takes. */
	latencyMs: number;
}

export const USUAL: Habits = {
	retryAfter: 'none',
	taken: 409,
	unknownMember: 404,
	isSilent: false,
	skewMs: 0,
	hasHeader: true,
	latencyMs: 300,
};

/** One request, in the API's own log. */
export interface Call {
	at: number;
	/** When the API carried it out. */
	doneAt?: number;
	/** Who sent it, e.g. "execution 1". */
	by: string;
	process: string;
	/** Which time n8n ran the node. */
	attempt: number;
	method: string;
	path: string;
	qs: IDataObject;
	body: IDataObject;
	/** Whether a gateway refused it. */
	isRefused: boolean;
	isCarriedOut: boolean;
	/** Whether its sender waits no longer, so that nobody in this process knows when it is carried out. */
	isGivenUp?: boolean;
	/** The status of the answer. Undefined if none has come. */
	status?: number;
	/** What it changed. */
	effect?: Effect;
}

export interface Effect {
	msid?: string;
	/** The values before and after it, by field of the API. */
	before: IDataObject;
	after: IDataObject;
	id?: number;
}

export interface Caller {
	by: string;
	attempt: number;
	process: Process;
}

interface Answer {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

type Reply = Omit<Answer, 'headers'> & { headers?: IDataObject; effect?: Effect };

const GATEWAY_PAGE =
	'<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n';

const STATUS_NAMES: Record<number, string> = {
	400: 'BAD_REQUEST',
	403: 'FORBIDDEN',
	404: 'NOT_FOUND',
	409: 'CONFLICT',
	422: 'BAD_REQUEST',
	429: 'TOO_MANY_REQUESTS',
	500: 'SERVER_ERROR',
	502: 'SERVER_ERROR',
	503: 'SERVICE_UNAVAILABLE',
};

/** The API behind n8n's HTTP helper, with a gateway in front. Its log is what the stories are checked against. */
export class Api {
	readonly calls: Call[] = [];
	inFlight = 0;
	/** Decides about a request instead of chance. */
	force?: (call: Call) => keyof Faults | undefined;
	/** Changes the records of members in a list. */
	inList = (member: IDataObject): IDataObject => member;
	private working = 0;
	private date = { second: 0, text: '' };
	private brokenPage?: { key: string; until: number; status: number };

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
		readonly community: Community,
		public gateway: Gateway,
		public faults: Faults,
		readonly habits: Habits,
		private readonly say: Say,
	) {}

	/** n8n's `httpRequestWithAuthentication` for one caller. */
	async request(
		options: IHttpRequestOptions,
		{ by, attempt, process }: Caller,
		signal?: AbortSignal,
	): Promise<Answer> {
		const { method = 'GET', url, qs = {}, body = {} } = options;
		const path = decodeURIComponent(url.slice(url.indexOf('/api/v1') + '/api/v1'.length));
		const call: Call = {
			at: this.clock.now,
			by,
			process: process.name,
			attempt,
			method,
			path,
			qs: qs as IDataObject,
			body: JSON.parse(JSON.stringify(body)) as IDataObject,
			isRefused: false,
			isCarriedOut: false,
		};
		this.calls.push(call);
		const what = () => `${method} ${path}${textOf(call.qs)}${textOf(call.body)}`;
		this.say(() => `${by} (${process.name}) sends ${what()}`);
		this.inFlight++;
		const answering = this.answer(call, what);
		return await new Promise<Answer>((resolve, reject) => {
			const cut = () => {
				call.isGivenUp = true;
				this.say(`${by} gives up waiting for ${method} ${path}`);
				reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
			};
			if (signal?.aborted) return cut();
			signal?.addEventListener('abort', cut, { once: true });
			const settle = (act: () => void) => {
				this.inFlight--;
				signal?.removeEventListener('abort', cut);
				if (process.isAlive) act();
			};
			answering.then(
				(answer) => settle(() => resolve(answer)),
				(error: Error) => settle(() => reject(error)),
			);
		});
	}

	/** Lets every request succeed from now on. */
	mend(): void {
		this.force = undefined;
		this.brokenPage = undefined;
	}

	private async answer(call: Call, what: () => string): Promise<Answer> {
		const { clock, random } = this;
		const latency = 20 + random() * this.habits.latencyMs * (random() < 0.05 ? 10 : 1);
		await clock.sleep(latency / 2, this);
		const refusal = this.gateway.judge(clock.now, this.working);
		if (refusal) {
			call.isRefused = true;
			await clock.sleep(10, this);
			const wait = this.retryAfter(refusal.retryAfterMs);
			this.say(
				() => `API refuses ${what()} with ${refusal.status}${wait ? `, ${textOf(wait)}` : ''}`,
			);
			call.status = refusal.status;
			const isPage = refusal.status === 503;
			const body = isPage ? GATEWAY_PAGE : errorOf(refusal.status, 'Too many requests');
			return { statusCode: refusal.status, headers: { ...this.headers, ...wait }, body };
		}
		this.working++;
		const fault = this.force ? this.force(call) : this.pickFault();
		const isDone = fault !== 'lostBefore' && fault !== 'errorBefore';
		const broken = isDone ? this.brokenAnswer(call) : undefined;
		const reply = broken ?? (isDone ? this.carryOut(call) : undefined);
		if (reply && !broken) {
			call.isCarriedOut = reply.statusCode < 300;
			call.doneAt = clock.now;
			call.effect = reply.effect;
		}
		await clock.sleep(latency / 2, this);
		this.working--;
		if (fault === 'silent') {
			this.say(() => `API never answers ${what()} (${done(call)})`);
			await clock.sleep(400_000, this);
		}
		if (fault === 'lostBefore' || fault === 'lostAfter' || fault === 'silent') {
			this.say(() => `The answer to ${what()} is lost (${done(call)})`);
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		}
		if (fault === 'errorBefore' || fault === 'errorAfter') {
			const status = [500, 502, 504][Math.floor(random() * 3)];
			call.status = status;
			this.say(() => `API answers ${what()} with ${status} (${done(call)})`);
			return { statusCode: status, headers: this.headers, body: errorOf(status, 'Failed') };
		}
		const { statusCode, headers, body } = reply as Reply;
		call.status = statusCode;
		this.say(() => {
			const shown = statusCode < 300 ? '' : `:${textOf(body)}`;
			const { before, after } = call.effect ?? {};
			return `API answers ${what()} with ${statusCode}${shown}${after ? `,${textOf(before)} →${textOf(after)}` : ''}`;
		});
		return { statusCode, headers: { ...this.headers, ...headers }, body };
	}

	private get headers(): IDataObject {
		const second = Math.floor((this.clock.date + this.habits.skewMs) / 1000);
		if (this.date.second !== second)
			this.date = { second, text: new Date(second * 1000).toUTCString() };
		return { date: this.date.text };
	}

	private pickFault(): keyof Faults | undefined {
		const { lostBefore, lostAfter, errorBefore, errorAfter, silent } = this.faults;
		const picked = this.random();
		let sum = 0;
		for (const [name, share] of Object.entries({
			lostBefore,
			lostAfter,
			errorBefore,
			errorAfter,
			silent,
		})) {
			sum += share;
			if (picked < sum) return name as keyof Faults;
		}
		return undefined;
	}

	private brokenAnswer({ method, path, qs }: Call): Reply | undefined {
		if (method !== 'GET' || !qs.page) return undefined;
		const key = `${path} ${String(qs.status)} ${String(qs.page)}`;
		if (this.brokenPage && this.brokenPage.until < this.clock.now) this.brokenPage = undefined;
		if (!this.brokenPage && this.random() < this.faults.page)
			this.brokenPage = {
				key,
				until: this.clock.now + 20_000,
				status: this.random() < 0.5 ? 500 : 403,
			};
		if (this.brokenPage?.key !== key) return undefined;
		return refused(this.brokenPage.status, 'This page cannot be read');
	}

	private retryAfter(ms?: number): IDataObject | undefined {
		const { retryAfter, skewMs } = this.habits;
		if (ms === undefined || retryAfter === 'none') return undefined;
		const wait = Math.max(1, Math.ceil(ms / 1000));
		if (retryAfter === 'seconds') return { 'retry-after': String(wait) };
		return { 'retry-after': new Date(this.clock.date + skewMs + 1000 * wait).toUTCString() };
	}

	private carryOut(call: Call): Reply {
		const { method, path, qs, body } = call;
		const [, kind, id = '', part = ''] = path.split('/');
		switch (
			`${method} ${kind}${id && (id === 'me' || id === 'search' ? `/${id}` : '/id')}${part && `/${part}`}`
		) {
			case 'GET users':
				return this.list(this.usersOf(qs), qs);
			case 'GET users/me':
				return this.readUser(this.community.members[0]);
			case 'GET users/id':
				return this.readUser(this.community.find(id));
			case 'PUT users/id':
				return this.putUser(id, call);
			case 'PATCH users/id':
				return this.patchUser(id, call);
			case 'POST users':
				return this.createUser(body);
			case 'GET roles':
				return this.list(ROLES, qs);
			case 'GET boards':
				return this.list(this.community.boards.map(boardRecord), qs);
			case 'PUT boards/id/members':
				return this.putMembers(Number(id), body.member_changes as Record<string, boolean>);
			case 'POST posts':
				return this.createPost(body);
			case 'GET posts/id':
				return this.found(
					this.community.posts.find((each) => String(each.id) === id),
					postRecord,
				);
			case 'GET tags':
				return this.list(this.community.tags.map(tagSummary), qs);
			case 'GET tags/search':
				return this.list(
					this.community.tags
						.filter(({ name }) => name.includes(String(qs.q).toLowerCase()))
						.map(tagSummary),
					qs,
				);
			case 'GET tags/id':
				return this.found(
					this.community.tags.find((each) => String(each.id) === id),
					tagRecord,
				);
			case 'PUT tags/id':
				return this.putTag(id, body);
			case 'POST tags':
				return this.createTag(body);
			default:
				return refused(404, `No endpoint ${method} ${path}`);
		}
	}

	private list(all: IDataObject[], { page = 1, page_size = 10 }: IDataObject): Reply {
		const size = Math.min(50, Number(page_size));
		const start = (Number(page) - 1) * size;
		const has_more = start + size < all.length ? '1' : '0';
		return {
			statusCode: 200,
			headers: this.habits.hasHeader ? { has_more } : {},
			body: all.slice(start, start + size),
		};
	}

	private usersOf({
		status = 10,
		sort_by = 'user_id',
		order = 'desc',
	}: IDataObject): IDataObject[] {
		const time = this.clock.now - this.faults.lagMs;
		const shown = this.community.members
			.map((each) => this.community.asOf(each, time))
			.filter((each) => each !== undefined)
			.filter((each) => !each.isGone && each.status === Number(status));
		const by = (each: Member) => (sort_by === 'joined' ? each.joinedAt : each.userId);
		const direction = order === 'asc' ? 1 : -1;
		shown.sort((a, b) => direction * (by(a) - by(b) || a.userId - b.userId));
		return shown.map((each) => this.inList(listed(each, this.dateOf)));
	}

	readonly dateOf = (at: number) => this.clock.date - this.clock.now + this.habits.skewMs + at;

	private readUser(member?: Member): Reply {
		const seen = member && this.community.asOf(member, this.clock.now - this.faults.lagMs);
		if (!seen || seen.isGone) return refused(404, 'No such user');
		if (seen.unreadable) return refused(seen.unreadable, 'This user cannot be read');
		return { statusCode: 200, body: { ...detailed(seen, this.dateOf), email: seen.email } };
	}

	private changed(id: string): Member | undefined {
		const member = this.community.find(id);
		return member?.isGone ? undefined : member;
	}

	private putUser(id: string, { body, by }: Call): Reply {
		const member = this.changed(id);
		if (!member) return refused(404, 'No such user');
		if (!body.first_name) return refused(400, 'first_name is required');
		const before = detailed(member, this.dateOf);
		const text = (value: unknown) => String(value ?? '');
		const { community } = this;
		if (body.username) community.change(member, 'username', text(body.username), by);
		community.change(member, 'firstName', text(body.first_name), by);
		community.change(member, 'description', text(body.user_description), by);
		community.change(member, 'avatar', text(body.user_avatar), by);
		const after = detailed(member, this.dateOf);
		return { statusCode: 200, body: after, effect: { msid: msidOf(member), before, after } };
	}

	private patchUser(id: string, { body, by }: Call): Reply {
		const member = this.changed(id);
		if (!member) return refused(404, 'No such user');
		const { role_id: to } = (body.data ?? {}) as { role_id?: number };
		if (body.action !== 101 || !ROLES.some((each) => each.role_id === to))
			return refused(400, 'Not a role');
		const before = { role_id: member.roleId };
		this.community.change(member, 'roleId', to as number, by);
		return {
			statusCode: this.habits.isSilent ? 204 : 200,
			body: this.habits.isSilent ? '' : { message: 'OK' },
			effect: { msid: msidOf(member), before, after: { role_id: to } },
		};
	}

	private createUser(body: IDataObject): Reply {
		const email = String(body.email).toLowerCase();
		const { community } = this;
		if (community.members.some((each) => !each.isGone && each.email.toLowerCase() === email))
			return refused(this.habits.taken, 'This email already exists');
		const member = community.join({
			email: String(body.email),
			firstName: String(body.first_name),
		});
		const record = { ...listed(member, this.dateOf), email: member.email, is_bot: false };
		return {
			statusCode: 200,
			body: record,
			effect: { msid: msidOf(member), before: {}, after: { email }, id: member.userId },
		};
	}

	private putMembers(id: number, changes: Record<string, boolean>): Reply {
		const board = this.community.boards.find((each) => each.id === id);
		if (!board) return refused(404, 'No such board');
		const unknown = Object.keys(changes).find((msid) => !this.changed(msid));
		if (unknown) return refused(this.habits.unknownMember, `No such user ${unknown}`);
		for (const [msid, hasAccess] of Object.entries(changes)) {
			if (hasAccess) board.members.add(msid);
			else board.members.delete(msid);
		}
		const after = { board_id: id, member_changes: changes };
		return { statusCode: 200, body: { message: 'OK' }, effect: { before: {}, after } };
	}

	private createPost(body: IDataObject): Reply {
		const { posts } = this.community;
		const [author] = body.authors as string[];
		const post = {
			id: posts.length + 1,
			boardId: Number(body.board_id),
			headline: String(body.headline),
			content: String(body.content),
			author,
		};
		posts.push(post);
		const after = { post_id: post.id, headline: post.headline };
		return { statusCode: 200, body: postRecord(post), effect: { before: {}, after, id: post.id } };
	}

	private createTag(body: IDataObject): Reply {
		const name = String(body.name);
		if (this.community.tags.some((each) => each.name === name.toLowerCase()))
			return refused(409, 'This tag already exists');
		const tag = this.community.addTag(name, String(body.description ?? ''));
		const after = { tag_id: tag.id, description: tag.description };
		return { statusCode: 200, body: tagRecord(tag), effect: { before: {}, after, id: tag.id } };
	}

	private putTag(id: string, body: IDataObject): Reply {
		const tag = this.community.tags.find((each) => String(each.id) === id);
		if (!tag) return refused(404, 'No such tag');
		const before = tagRecord(tag);
		tag.description = String(body.description ?? '');
		tag.ogTitle = String(body.og_title ?? '');
		const after = tagRecord(tag);
		return { statusCode: 200, body: after, effect: { before, after, id: tag.id } };
	}

	private found<T>(record: T | undefined, toBody: (record: T) => IDataObject): Reply {
		return record ? { statusCode: 200, body: toBody(record) } : refused(404, 'No such record');
	}
}

function refused(status: number, text: string): Reply {
	return { statusCode: status, body: errorOf(status, text) };
}

function errorOf(status: number, text: string): IDataObject {
	return {
		id: 'e-1',
		status: STATUS_NAMES[status] ?? 'SERVER_ERROR',
		time: '2026-01-05T08:00:00Z',
		message: `ERR_V1: ${text}`,
	};
}

function boardRecord({ id, name }: Community['boards'][number]): IDataObject {
	return { board_id: id, board_name: name, is_private: true, display_order: id };
}

function postRecord({ id, boardId, headline, content }: Community['posts'][number]): IDataObject {
	return { post_id: id, board_id: boardId, headline, content, post_status: 15 };
}

function tagSummary({ id, name, displayName }: Community['tags'][number]): IDataObject {
	return {
		tag_id: id,
		name,
		display_name: displayName,
		back_color: '#ffffff',
		text_color: '#330000',
	};
}

function tagRecord(tag: Community['tags'][number]): IDataObject {
	return { ...tagSummary(tag), description: tag.description, og_title: tag.ogTitle };
}

function textOf(value: unknown): string {
	const text = JSON.stringify(value ?? {});
	return text === '{}' ? '' : ` ${text}`;
}

function done({ isCarriedOut }: Call): string {
	return isCarriedOut ? 'carried out' : 'not carried out';
}

export type Say = (text: string | (() => string)) => void;

/** The log of a story, in words. */
export class Chronicle {
	private readonly lines: Array<() => string> = [];

	constructor(private readonly clock: Clock) {}

	readonly say: Say = (text) => {
		const { now } = this.clock;
		// Written only if somebody reads it, because most stories end well.
		this.lines.push(() => `${seconds(now)} ${typeof text === 'string' ? text : text()}`);
	};

	/** The story in words, with at most so many lines of its beginning and of its end. */
	inWords(most = process.env.ALL ? 99999 : 60): string {
		const lines = this.lines.map((line) => line());
		if (lines.length <= 2 * most) return lines.join('\n');
		const left = lines.length - 2 * most;
		return [...lines.slice(0, most), `… ${left} more …`, ...lines.slice(-most)].join('\n');
	}
}
