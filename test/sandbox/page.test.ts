import { useBareSandbox } from '../support/community.mts';
import { call, type CallOptions } from './support.mts';

const sandbox = useBareSandbox();

/** Sends a request like a browser, without a key. */
async function ask(method: string, path: string, { headers, ...options }: CallOptions = {}) {
	const without = { authorization: null, 'user-agent': null, ...headers };
	return await call(sandbox, method, path, { ...options, headers: without });
}
const EVERY_CHANGE = ['role', 'approve', 'ban', 'end-ban', 'remove'];
const browse = (path = '/') => ask('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } });

describe('the page', () => {
	it("is served at the community's address with all of its files, and runs no other script", async () => {
		const { status, data } = await browse();
		expect(status).toBe(200);
		expect(data).not.toMatch(/<script(?![^>]* src=)|<style|\bon\w+=|\bstyle=|:\/\/(?!localhost)/);
		const paths = [...data.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path);
		for (const path of paths) {
			const file = await browse(path);
			expect([path, file.status]).toEqual([path, 200]);
			const policy = String(file.headers['content-security-policy']);
			expect(policy).toContain("default-src 'none'; script-src 'self'");
			expect(policy).not.toMatch(/unsafe|data:|\*|http/);
			for (const [, name] of String(file.data).matchAll(/ from '\.\/([^']*)'/g)) {
				if (!paths.includes(`/_sandbox/page/${name}`)) paths.push(`/_sandbox/page/${name}`);
			}
		}
		expect(paths).toContain('/_sandbox/page/show.mjs');
		for (const name of ['tsconfig.json', '..%2Fserver.mts', 'constructor']) {
			expect((await browse(`/_sandbox/page/${name}`)).status).toBe(404);
		}
	});

	it('is not recorded, not limited, without faults, and only for browsers', async () => {
		sandbox.rateLimit.set({ perSecond: 0.001, burst: 0 });
		sandbox.faults.add({ kind: 'status', status: 503 });
		for (const path of ['/', '/_sandbox/view']) expect((await browse(path)).status).toBe(200);
		expect(sandbox.requests.total).toBe(0);
		sandbox.reset();
		expect((await ask('GET', '/')).status).toBe(403);
	});

	it('begins with the values for n8n, and offers no change before a member is chosen', async () => {
		const html = String((await browse()).data);
		expect([...html.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title]) => title)).toEqual([
			...['Connect n8n', 'What happens', 'Posts', 'Members', 'Boards', 'Tags'],
			...['Deliveries', 'Requests'],
		]);
		const changes = html.slice(html.indexOf('id="change"'), html.indexOf('id="outcome"'));
		const buttons = [...changes.matchAll(/<button value="([\w-]+)" disabled>/g)];
		expect(buttons.map(([, change]) => change)).toEqual(EVERY_CHANGE);
		expect(changes.match(/<button/g)).toHaveLength(EVERY_CHANGE.length);
	});

	it('finds a post at its URL, with its whole content', async () => {
		const [{ post_id, content }] = sandbox.community.posts.values();
		const URL = `/posts/${post_id}`;
		expect((await browse(URL)).data).toBe((await browse()).data);
		const { data } = await ask('GET', `/_sandbox/view?find=${URL}`);
		expect(data.tables.posts.rows).toMatchObject([{ Text: content, URL }]);
	});

	it.each<[string, Record<string, string>]>([
		['a page of another site', { 'sec-fetch-site': 'cross-site' }],
		['a page at another port', { origin: 'http://127.0.0.1:1' }],
		['a host name that resolves to this machine', { host: 'elsewhere.example' }],
	])('does not let %s change data', async (_whose, headers) => {
		for (const [method, path] of [
			['POST', '/members'],
			['POST', '/members/102/ban'],
			['DELETE', '/members/102'],
			['POST', '/start-over'],
			['PUT', '/webhooks'],
			['PATCH', '/settings'],
			['DELETE', '/faults'],
		]) {
			const { status } = await ask(method, `/_sandbox${path}`, { body: {}, headers });
			expect([path, status]).toEqual([path, 403]);
		}
		if (headers.host) expect((await ask('GET', '/_sandbox/view', { headers })).status).toBe(403);
		const { origin } = new URL(sandbox.baseUrl);
		const own = { origin, 'sec-fetch-site': 'same-origin' };
		expect((await ask('POST', '/_sandbox/start-over', { headers: own })).status).toBe(200);
	});
});

describe('changing a member', () => {
	async function change(user_id: number, what: string, body?: object) {
		const { status, data } = await ask('POST', `/_sandbox/members/${user_id}/${what}`, { body });
		return [status, data.user_status ?? data.message];
	}

	it('changes the role, approves, bans and ends a ban, if the member has the required status', async () => {
		const { community } = sandbox;
		const { user_id } = community.waitlist({ first_name: 'Ida' });
		const joined = jest.fn();
		community.on('member.joined', joined);

		expect(await change(user_id, 'role', { role_id: 22 })).toEqual([200, 4]);
		expect(community.user(user_id).role_id).toBe(22);
		expect(joined).not.toHaveBeenCalled();
		expect(await change(user_id, 'approve')).toEqual([200, 10]);
		expect(await change(user_id, 'approve')).toContain('ERR_V1409 | Ida is ACTIVE, not WAITLIST.');
		expect(await change(user_id, 'end-ban')).toContain('ERR_V1409 | Ida is ACTIVE, not BANNED.');
		expect(await change(user_id, 'ban')).toEqual([200, -3]);
		expect(await change(user_id, 'ban')).toContain('ERR_V1409 | Ida is BANNED already.');
		expect(await change(user_id, 'end-ban')).toEqual([200, 10]);
		expect(joined).toHaveBeenCalledTimes(1);
		community.off('member.joined', joined);
		expect(await change(user_id, 'role', {})).toContain('ERR_V1404 | no role has the id NaN');
		expect(await change(user_id, 'praise')).toContain('ERR_V1404 | no such change: praise');
	});

	it('is offered for each member on the wait-list, then for those found, if it fits the status', async () => {
		const { community } = sandbox;
		const candidates = async (find = '') =>
			(await ask('GET', `/_sandbox/view?find=${find}`)).data.candidates;
		const waiting = community.members(4, 'joined', 'desc').map(({ msid }) => msid);
		const msids = (group: Array<{ msid: string }>) => group.map(({ msid }) => msid);

		for (const find of ['', 'robinkeeper']) {
			expect(msids((await candidates(find))['On the wait-list'])).toEqual(waiting);
		}
		const ida = community.waitlist({ first_name: 'Ida', last_name: 'Noor', username: 'ida' });
		const { 'On the wait-list': first, 'Listed below': others } = await candidates();
		expect(first[0]).toEqual({
			msid: ida.msid,
			name: 'Ida Noor',
			remark: 'ida: Member, WAITLIST',
			changes: ['role', 'approve', 'ban', 'remove'],
		});
		expect(msids(others).filter((msid) => msids(first).includes(msid))).toEqual([]);

		for (const [user_status, fitting] of [
			[-3, ['role', 'end-ban', 'remove']],
			[0, ['role', 'ban', 'remove']],
			[5, ['role', 'ban', 'remove']],
			[6, ['role', 'ban', 'remove']],
			[10, ['role', 'ban', 'remove']],
		] as const) {
			community.changeUser(ida.msid, { user_status });
			const { 'Listed below': found } = await candidates(ida.msid);
			expect(found).toMatchObject([{ msid: ida.msid, changes: fitting }]);
			// The API refuses each other change.
			for (const each of ['approve', 'ban', 'end-ban']) {
				if (fitting.some((name) => name === each)) continue;
				expect((await change(ida.user_id, each))[0]).toBe(409);
			}
		}
	});

	it('is news if a field has another value, but not if it stays empty', async () => {
		const { msid } = sandbox.community.join({ first_name: 'Ida' });
		const body = { first_name: 'Ida', last_name: 'Noor', banner: '', social_media_links: {} };
		await call(sandbox, 'PUT', `/api/v1/users/${msid}`, { body });
		expect(sandbox.community.news[0].text).toBe('Profile of Ida changed: last_name');
	});

	it('removes a member, so that the API neither lists nor finds them', async () => {
		const { msid } = sandbox.community.join({ first_name: 'Ida' });
		const isListed = async () => {
			const query = { sort_by: 'joined', order: 'desc', page_size: 50 };
			const lists = [10, 6, 5, 4, 0, -3, -100].map((status) =>
				call(sandbox, 'GET', '/api/v1/users', { query: { ...query, status } }),
			);
			return JSON.stringify((await Promise.all(lists)).map(({ data }) => data)).includes(msid);
		};

		expect(await isListed()).toBe(true);
		expect((await ask('DELETE', `/_sandbox/members/${msid}`)).status).toBe(200);
		expect(await isListed()).toBe(false);
		expect((await call(sandbox, 'GET', `/api/v1/users/${msid}`)).status).toBe(404);
	});
});

it('starting over switches faults and limits off', async () => {
	sandbox.faults.add({ kind: 'status', status: 503 });
	sandbox.rateLimit.set({ perSecond: 0.001, burst: 0 });
	await ask('PATCH', '/_sandbox/settings', { body: { largestPage: 1 } });
	await ask('POST', '/_sandbox/start-over');
	expect((await call(sandbox, 'GET', '/api/v1/roles')).data).toHaveLength(7);
});
