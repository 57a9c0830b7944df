import type { SavedWorkflow } from '../../n8n/client.mts';
import { importExample } from '../../n8n/examples.mts';
import { until } from '../../n8n/wait.mts';
import type { Post, User } from '../../sandbox/records.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { EVERY_SECOND, polling } from '../../n8n/polling.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';
const TIMEOUT_MS = 30_000;
const CONTRIBUTOR = 21;

const scenery = useStage({ members: 120, webhookSecret: SECRET });
const { activate, open } = useActivation(scenery);

/** Runs with webhooks told, and gives the posts that were not there before. */
async function connect(workflow: SavedWorkflow): Promise<() => Post[]> {
	const { webhooks, community } = scenery.sandbox;
	const url = await open(workflow);
	webhooks.set([{ url, secret: SECRET }]);
	const before = new Set(community.posts.keys());
	return () => [...community.posts.values()].filter(({ post_id }) => !before.has(post_id));
}

function welcome(post: Partial<Post>) {
	const { community } = scenery.sandbox;
	const boards = [...community.boards.values()];
	const { board_id } = boards.find(({ board_name }) => board_name === 'Introductions')!;
	return expect.objectContaining({ board_id, author_id: community.callerId, ...post });
}

describe('Welcome new members', () => {
	test.each([
		['by the first name', { first_name: 'Ada' }, 'Welcome, Ada!'],
		['by the user name where there is no first name', { first_name: '' }, 'Welcome, member700!'],
		[
			'without what a name could smuggle in',
			{ first_name: 'Eve <img src="https://elsewhere.example/x.png">' },
			'Welcome, Eve!',
		],
	])('one post welcomes the member %s', async (_how, profile, headline) => {
		const { client, credential, sandbox } = scenery;
		const workflow = await importExample(client, 'welcome-new-members', credential);
		const newPosts = await connect(workflow);

		sandbox.community.join({ user_id: 700, ...profile });

		const [execution] = await executionsOf(scenery, workflow, 1);
		expect(execution.data.resultData.error).toBeUndefined();
		const name = headline.slice('Welcome, '.length, -1);
		expect(newPosts()).toEqual([
			welcome({ headline, content: expect.stringContaining(`<p>Hello ${name}, it is good`) }),
		]);
	});
});

describe('Wait-list approval', () => {
	const roleOf = ({ msid }: User) => scenery.sandbox.community.user(msid).role_id;

	test('gives the role to those of known companies, and to nobody else', async () => {
		const { client, credential, sandbox } = scenery;
		const { community, requests } = sandbox;
		const workflow = await importExample(client, 'waitlist-approval', credential);
		await connect(workflow);
		const { role_id } = community.defaultRole;

		const known = community.waitlist({ email: 'ada@Members.example' });
		const strangers = [
			community.waitlist({ email: 'eve@elsewhere.example' }),
			community.waitlist({ email: 'eve@notmembers.example' }),
		];
		const executions = await executionsOf(scenery, workflow, 3);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		expect(roleOf(known)).toBe(CONTRIBUTOR);
		expect(strangers.map(roleOf)).toEqual([role_id, role_id]);
		expect(requests.matching('PATCH').map(({ path }) => path)).toEqual([
			`/api/v1/users/${known.msid}`,
		]);
	});

	test('goes by the address that the community knows, whatever a delivery claims', async () => {
		const { client, credential, sandbox } = scenery;
		const workflow = await importExample(client, 'waitlist-approval', credential);
		await connect(workflow);
		const stranger = sandbox.community.addUser({
			first_name: 'Eve',
			email: 'eve@elsewhere.example',
			user_status: 4,
		});

		await sandbox.webhooks.send('member.joined_waitlist', {
			user: [{ ...stranger, email: 'eve@members.example' }],
		});

		await executionsOf(scenery, workflow, 1);
		expect(sandbox.requests.matching('PATCH')).toEqual([]);
	});
});

describe('New members without a public address', () => {
	test('one post welcomes all who joined since the last look, and none is written otherwise', async () => {
		const { client, credential, sandbox } = scenery;
		const { community } = sandbox;
		const workflow = await importExample(
			client,
			'new-members-without-a-public-address',
			credential,
			polling(EVERY_SECOND),
		);
		const before = new Set(community.posts.keys());
		const looks = () => sandbox.requests.matching('GET', '/api/v1/users').filter(isListing).length;
		const look = async (times: number) => {
			const enough = looks() + times;
			await until('another look', async () => (looks() >= enough ? true : undefined), TIMEOUT_MS);
		};
		await activate(workflow);
		await look(2);

		community.join({ first_name: 'Ada' });
		community.join({ first_name: '', username: 'grace' });
		const [first] = await executionsOf(scenery, workflow, 1);
		expect(first.status).toBe('success');
		await look(2);
		community.join({ first_name: 'Linus' });
		await executionsOf(scenery, workflow, 2);
		await look(2);

		await executionsOf(scenery, workflow, 2);
		const posts = [...community.posts.values()].filter(({ post_id }) => !before.has(post_id));
		expect(posts).toEqual([
			welcome({ content: expect.stringContaining('just joined us: Ada, grace. Say') }),
			welcome({ content: expect.stringContaining('just joined us: Linus. Say') }),
		]);
	});

	function isListing({ path }: { path: string }): boolean {
		return path === '/api/v1/users';
	}
});
