import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { user, userDetailWithEmail } from '../../nodes/shared/records/types.ts';
import { answerWith, bendAnswers, type BentSandbox } from '../support/bending.mts';
import { asked, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { Poller } from './poller.mts';

const sandbox = useSandbox({ members: 200 });
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

	it('is in an event and in the full record, too', async () => {
		const ofEvent = await started({ ...DETAILS, output: 'event' });
		const full = await started({ ...DETAILS, simplify: false });
		join('Ada', 'ada@example.com');
		const [{ user: member }] = await ofEvent.poll();
		expect(Object.keys(member as IDataObject)).toEqual(user.fields);
		expect(member).toMatchObject({ first_name: 'Ada', email: 'ada@example.com' });
		expect(await full.poll()).toMatchObject([{ email: 'ada@example.com', login_count: 0 }]);
	});

	it('reads 150 who have joined at once, the oldest first, and none of those with another role', async () => {
		const poller = await started({ ...DETAILS, filters: { roleIds: '22' } });
		const joined = range(1, 150).map((at) => {
			const created_at = new Date(Date.UTC(2031, 0, 1, 0, 0, at)).toISOString();
			const role_id = at % 3 === 0 ? 10 : 22;
			return sandbox.community.join({ first_name: `New ${at}`, created_at, role_id });
		});
		const wanted = joined.filter(({ role_id }) => role_id === 22);
		expect(names(await poller.poll())).toEqual(names(wanted as never));
		expect(reads()).toHaveLength(wanted.length);
	});

	it('leaves out a member who is gone by then', async () => {
		const poller = await started(DETAILS);
		const [ada] = [join('Ada'), join('Bob'), join('Cid')];
		const run = () => sandbox.community.removeUser(ada.user_id);
		sandbox.faults.add({ kind: 'call', run, after: 1, times: 1 });
		expect(names(await poller.poll())).toEqual(['Bob', 'Cid']);
		expect(await poller.poll()).toEqual([]);
	});

	it.each([403, 500])('fails a poll that cannot read one (%d), and loses none', async (status) => {
		const poller = await started(DETAILS);
		const before = poller.staticData;
		const [, bob] = [join('Ada'), join('Bob'), join('Cid')];
		sandbox.faults.add({ kind: 'status', status, path: `/api/v1/users/${bob.msid}` });
		await expect(poller.poll()).rejects.toMatchObject({ httpCode: String(status) });
		expect(poller.staticData).toBe(before);
		sandbox.faults.clear();
		expect(names(await poller.poll())).toEqual(['Ada', 'Bob', 'Cid']);
		expect(await poller.poll()).toEqual([]);
	});

	it('reads only the newest member in a manual test', async () => {
		join('Ada', 'ada@example.com');
		sandbox.requests.clear();
		expect(await new Poller(sandbox, DETAILS).test()).toMatchObject([{ email: 'ada@example.com' }]);
		expect(reads()).toHaveLength(1);
	});
});

describe('Email Domains', () => {
	it('keeps the members with an address there, and remembers all', async () => {
		const poller = await started(BY_DOMAIN);
		join('Ada', 'ada@example.com');
		join('Bob', 'bob@example.org');
		join('Cid', 'cid@mail.example.com');
		expect(names(await poller.poll())).toEqual(['Ada', 'Cid']);
		expect(reads()).toHaveLength(3);
		expect(await poller.poll()).toEqual([]);
	});

	it('gives the newest of them in a manual test', async () => {
		join('Ada', 'ada@example.com');
		join('Bob', 'bob@example.org');
		for (let at = 0; at < 5; at++) Object.assign(join(`No ${at}`), { email: null });
		sandbox.requests.clear();
		expect(names(await new Poller(sandbox, BY_DOMAIN).test())).toEqual(['Ada']);
		// All seven, and ten more once, to tell whether the API shows addresses.
		expect(reads().length).toBeLessThanOrEqual(7 + 10);
	});

	it('does not take a short wait-list without an address for one that is hidden', async () => {
		const waiting = sandbox.community.members(4, 'joined', 'desc');
		for (const { user_id } of waiting.slice(1)) sandbox.community.admit(user_id);
		const poller = new Poller(sandbox, { ...BY_DOMAIN, status: 4 });
		await poller.poll();
		Object.assign(sandbox.community.waitlist({ first_name: 'Ada' }), { email: null });
		expect(await poller.poll()).toEqual([]);
	});

	describe('where the API leaves out addresses', () => {
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

		it('of one member, who has none, only that one is not kept', async () => {
			const poller = await started(BY_DOMAIN, community);
			hides = ({ first_name }) => first_name === 'Ada';
			join('Ada', 'ada@example.com');
			expect(await poller.poll()).toEqual([]);
			join('Bob', 'bob@example.com');
			expect(names(await poller.poll())).toEqual(['Bob']);
		});

		it('of all but the owner of the key, the poll fails, and no member is missed', async () => {
			const { callerId } = sandbox.community;
			// So that the owner is looked at, too.
			sandbox.community.changeUser(callerId, { created_at: sandbox.community.timestamp() });
			const poller = await started(BY_DOMAIN, community);
			hides = ({ user_id }) => user_id !== callerId;
			join('Ada', 'ada@example.com');
			await expect(poller.poll()).rejects.toThrow('shows no email addresses');
			hides = () => false;
			expect(names(await poller.poll())).toEqual(['Ada']);
		});
	});
});
