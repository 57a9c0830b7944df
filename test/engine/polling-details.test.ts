import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { user, userDetailWithEmail } from '../../nodes/shared/records/types.ts';
import { answerWith, bendAnswers, type BentSandbox } from '../support/bending.mts';
import { asked, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { Poller } from '../support/poller.mts';

const sandbox = useSandbox({ members: 65 });
withoutBackoff();

const DETAILS = { options: { includeDetails: true } };
const BY_DOMAIN = { filters: { emailDomains: 'example.com' } };

async function started(parameters: INodeParameters, community: Poller['community'] = sandbox) {
	const poller = new Poller(community, parameters);
	expect(await poller.poll()).toEqual([]);
	sandbox.requests.clear();
	return poller;
}

const join = (first_name: string, email?: string) => sandbox.community.join({ first_name, email });
const names = (items: IDataObject[]) => items.map(({ first_name }) => first_name);
const reads = () => asked(sandbox).filter((url) => /users\/\d/.test(url));

describe('Include Details', () => {
	it('returns a member who is listed before the API finds the record, and drops one who is gone', async () => {
		const poller = await started(DETAILS);
		const [ada, bob] = [join('Ada'), join('Bob')];
		for (const { msid } of [ada, bob])
			sandbox.faults.add({ kind: 'status', status: 404, path: `/api/v1/users/${msid}`, times: 1 });
		expect(await poller.poll()).toEqual([]);
		sandbox.community.removeUser(bob.msid);
		expect(names(await poller.poll())).toEqual(['Ada']);
		expect(await poller.poll()).toEqual([]);
	});

	it('reads each new member, so that the item has the email address', async () => {
		const poller = await started(DETAILS);
		const { msid } = join('Ada', 'ada@example.com');
		const [item, ...others] = await poller.poll();
		expect(others).toEqual([]);
		expect(Object.keys(item)).toEqual(userDetailWithEmail.simplified);
		expect(item).toMatchObject({ msid, email: 'ada@example.com', post_count: 0 });
		expect(reads()).toEqual([`GET /api/v1/users/${msid}`]);
		expect(await poller.poll()).toEqual([]);
	});

	it('also works for events and for full records', async () => {
		const ofEvent = await started({ ...DETAILS, output: 'event' });
		const full = await started({ ...DETAILS, simplify: false });
		join('Ada', 'ada@example.com');
		const [{ user: member }] = await ofEvent.poll();
		expect(Object.keys(member as IDataObject)).toEqual(user.fields);
		expect(member).toMatchObject({ first_name: 'Ada', email: 'ada@example.com' });
		expect(await full.poll()).toMatchObject([{ email: 'ada@example.com', login_count: 0 }]);
	});

	it('reads 60 who joined at the same moment, the oldest first, but none with another role', async () => {
		const poller = await started({ ...DETAILS, filters: { roleIds: '22' } });
		const joined = range(1, 60).map((at) => {
			const created_at = new Date(Date.UTC(2031, 0, 1, 0, 0, at)).toISOString();
			const role_id = at % 3 === 0 ? 10 : 22;
			return sandbox.community.join({ first_name: `New ${at}`, created_at, role_id });
		});
		const wanted = joined.filter(({ role_id }) => role_id === 22);
		expect(names(await poller.poll())).toEqual(names(wanted as never));
		expect(reads()).toHaveLength(wanted.length);
	});

	it('skips a member who has left by then', async () => {
		const poller = await started(DETAILS);
		const [ada] = [join('Ada'), join('Bob'), join('Cid')];
		const run = () => sandbox.community.removeUser(ada.user_id);
		sandbox.faults.add({ kind: 'call', run, after: 1, times: 1 });
		expect(names(await poller.poll())).toEqual(['Bob', 'Cid']);
		expect(await poller.poll()).toEqual([]);
	});

	it.each([
		{ kind: 'status', status: 403 },
		{ kind: 'status', status: 500 },
		{ kind: 'html', status: 404 },
	] as const)(
		'hands over the others if one cannot be read (%j), and tries again',
		async (fault) => {
			const poller = await started(DETAILS);
			const [, bob] = [join('Ada'), join('Bob'), join('Cid')];
			sandbox.faults.add({ ...fault, path: `/api/v1/users/${bob.msid}` });
			logged.length = 0;
			expect(names(await poller.poll())).toEqual(['Ada', 'Cid']);
			expect(logged.join()).toContain(
				'1 new members could not be read, so the next poll tries again',
			);
			// Below the first page by now.
			const joined = range(1, 60).map((at) => join(`New ${at}`).first_name);
			expect(names(await poller.poll())).toEqual(joined);
			expect(await poller.poll()).toEqual([]);
			sandbox.faults.clear();
			expect(names(await poller.restarted().poll())).toEqual(['Bob']);
			// The form of earlier versions.
			poller.staticData = poller.staticData.replace(
				/"unread":\[[^\]]+/g,
				`"unread":[{"msid":"${bob.msid}","user_id":${bob.user_id}}`,
			);
			expect(await poller.restarted().poll()).toMatchObject([{ first_name: 'Bob' }]);
			expect(names(await poller.poll(BY_DOMAIN))).toEqual([]);
			expect(await poller.poll()).toEqual([]);
		},
	);

	it.each([
		['returned as listed', DETAILS, ['Ada']],
		['left out', BY_DOMAIN, []],
	])(
		'one who cannot be read at ten polls is then %s, and named in the log (%j)',
		async (_, parameters, kept) => {
			const poller = await started(parameters);
			const { msid, created_at } = join('Ada', 'ada@example.com');
			sandbox.faults.add({ kind: 'status', status: 403, path: `/api/v1/users/${msid}` });
			for (let polls = 1; polls < 10; polls++) expect(await poller.poll()).toEqual([]);
			logged.length = 0;
			const items = await poller.poll();
			expect(names(items)).toEqual(kept);
			for (const item of items) {
				expect(Object.keys(item)).toEqual(userDetailWithEmail.simplified);
				expect(item).toMatchObject({ msid, created_at, user_status: 10, email: null });
			}
			expect(logged.filter((line) => line.includes(msid))).toHaveLength(1);
			sandbox.requests.clear();
			expect(await poller.poll()).toEqual([]);
			expect(reads()).toEqual([]);
		},
	);

	it.each([-3, -100])('skips one who is read later and then has status %d', async (status) => {
		const poller = await started(DETAILS);
		const { msid, user_id } = join('Ada');
		sandbox.faults.add({ kind: 'status', status: 403, path: `/api/v1/users/${msid}`, times: 1 });
		expect(await poller.poll()).toEqual([]);
		sandbox.community.changeUser(user_id, { user_status: status });
		expect(await poller.poll()).toEqual([]);
	});

	it('fails if none of several could be read, unless all of them failed before', async () => {
		const poller = await started(DETAILS);
		const before = poller.staticData;
		const [ada, bob] = [join('Ada'), join('Bob')];
		sandbox.faults.add({ kind: 'status', status: 403, pattern: /users\/\d/ });
		await expect(poller.poll()).rejects.toMatchObject({ httpCode: '403' });
		expect(poller.staticData).toBe(before);
		sandbox.faults.clear();
		const pattern = new RegExp(`${ada.msid}|${bob.msid}`);
		sandbox.faults.add({ kind: 'status', status: 403, pattern });
		join('Cid');
		expect(names(await poller.poll())).toEqual(['Cid']);
		expect(await poller.poll()).toEqual([]);
		sandbox.faults.clear();
		expect(names(await poller.poll())).toEqual(['Ada', 'Bob']);
	});

	it.each(['10', 'ACTIVE'])('returns a member who is read with the status %s', async (word) => {
		const bent = await bendAnswers(sandbox, (answer) => {
			const record = JSON.parse(answer.body) as IDataObject;
			if (!Array.isArray(record) && 'msid' in record)
				answerWith(answer, { ...record, user_status: word });
		});
		try {
			const poller = await started(DETAILS, { ...sandbox, ...bent.sandbox });
			const { msid } = join('Ada');
			expect(await poller.poll()).toMatchObject([{ msid }]);
		} finally {
			await bent.close();
		}
	});

	it('reads only the newest member in a manual test', async () => {
		join('Ada', 'ada@example.com');
		sandbox.requests.clear();
		expect(await new Poller(sandbox, DETAILS).test()).toMatchObject([{ email: 'ada@example.com' }]);
		expect(reads()).toHaveLength(1);
	});
});

describe('Email Domains', () => {
	it('keeps the members with an address in these domains, and remembers all', async () => {
		const poller = await started(BY_DOMAIN);
		join('Ada', 'ada@example.com');
		join('Bob', 'bob@example.org');
		join('Cid', 'cid@mail.example.com');
		expect(names(await poller.poll())).toEqual(['Ada', 'Cid']);
		expect(reads()).toHaveLength(3);
		expect(await poller.poll()).toEqual([]);
	});

	it('returns the newest of them in a manual test', async () => {
		join('Ada', 'ada@example.com');
		join('Bob', 'bob@example.org');
		for (let at = 0; at < 5; at++) Object.assign(join(`No ${at}`), { email: null });
		sandbox.requests.clear();
		expect(names(await new Poller(sandbox, BY_DOMAIN).test())).toEqual(['Ada']);
		// All seven, and ten more once, to check whether the API returns addresses.
		expect(reads().length).toBeLessThanOrEqual(7 + 10);
	});

	it.each(['be', 'not be'])(
		'does not treat a short wait-list without an address as hidden, if another member can %s read',
		async (can) => {
			const waiting = sandbox.community.members(4, 'joined', 'desc');
			for (const { user_id } of waiting.slice(1)) sandbox.community.admit(user_id);
			const poller = new Poller(sandbox, { ...BY_DOMAIN, status: 4 });
			await poller.poll();
			const path = `/api/v1/users/${waiting[0].msid}`;
			if (can === 'not be') sandbox.faults.add({ kind: 'status', status: 403, path });
			Object.assign(sandbox.community.waitlist({ first_name: 'Ada' }), { email: null });
			expect(await poller.poll()).toEqual([]);
			sandbox.community.waitlist({ first_name: 'Bob', email: 'bob@example.com' });
			expect(names(await poller.poll())).toEqual(['Bob']);
		},
	);

	it('does not treat thirty members without an address as hidden', async () => {
		const newest = sandbox.community.members(10, 'joined', 'desc').slice(0, 30);
		for (const member of newest) Object.assign(member, { email: null });
		const poller = await started(BY_DOMAIN);
		Object.assign(join('Ada'), { email: null });
		expect(await poller.poll()).toEqual([]);
		expect(reads().length).toBeLessThanOrEqual(1 + 40);
		join('Bob', 'bob@example.com');
		expect(names(await poller.poll())).toEqual(['Bob']);
	});

	describe('if the API leaves out addresses', () => {
		let hides: (member: IDataObject) => boolean;
		let bent: BentSandbox;
		let community: Poller['community'];

		beforeEach(async () => {
			hides = () => false;
			bent = await bendAnswers(sandbox, (answer) => {
				const member = JSON.parse(answer.body) as IDataObject;
				if (!Array.isArray(member) && hides(member))
					answerWith(answer, { ...member, email: undefined });
			});
			community = { ...sandbox, ...bent.sandbox };
		});
		afterEach(async () => await bent.close());

		it('of one member who has none, only that member is not kept', async () => {
			const poller = await started(BY_DOMAIN, community);
			hides = ({ first_name }) => first_name === 'Ada';
			join('Ada', 'ada@example.com');
			expect(await poller.poll()).toEqual([]);
			join('Bob', 'bob@example.com');
			expect(names(await poller.poll())).toEqual(['Bob']);
		});

		it("of all members except the key's owner, the poll fails, and no member is missed", async () => {
			const { callerId } = sandbox.community;
			// Includes the owner.
			sandbox.community.changeUser(callerId, { created_at: sandbox.community.timestamp() });
			const poller = await started(BY_DOMAIN, community);
			hides = ({ user_id }) => user_id !== callerId;
			join('Ada', 'ada@example.com');
			await expect(poller.poll()).rejects.toMatchObject({
				message: expect.stringContaining('cannot see the email addresses') as string,
				failure: { cause: 'configuration-invalid' },
			});
			hides = () => false;
			expect(names(await poller.poll())).toEqual(['Ada']);
		});
	});
});
