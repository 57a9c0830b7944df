import type { SavedWorkflow } from '../../dev/n8n/client.mts';
import { importExample } from '../../dev/n8n/examples.mts';
import { until } from '../../dev/tools/wait.mts';
import type { Post } from '../../sandbox/records.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { EVERY_SECOND, polling } from '../../dev/n8n/polling.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';
const TIMEOUT_MS = 30_000;

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
	const BY_USERNAME = 'Welcome, member700!';

	test.each([
		['by the first name', { first_name: 'Ada' }, 'Welcome, Ada!'],
		['by the user name where there is no first name', { first_name: '' }, BY_USERNAME],
		[
			'without what a name could smuggle in',
			{ first_name: 'Eve <img src="https://elsewhere.example/x.png">' },
			'Welcome, Eve!',
		],
		[
			'by the user name where the first name is only markup',
			{ first_name: '<b></b>' },
			BY_USERNAME,
		],
		['by the user name where the first name is only space', { first_name: '   ' }, BY_USERNAME],
		[
			'where no name is one',
			{ first_name: ' <i></i> ', username: '<b></b>' },
			'Welcome, new member!',
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

	test('each of several members in one event gets a post of their own', async () => {
		const { client, credential, sandbox } = scenery;
		const workflow = await importExample(client, 'welcome-new-members', credential);
		const newPosts = await connect(workflow);
		const user = ['Ada', 'Grace', 'Linus'].map((first_name, index) =>
			sandbox.community.addUser({ user_id: 700 + index, first_name }),
		);

		await sandbox.webhooks.send('member.joined', { user });

		await executionsOf(scenery, workflow, 1);
		expect(newPosts()).toEqual([
			welcome({ headline: 'Welcome, Ada!', content: expect.stringContaining('Hello Ada,') }),
			welcome({ headline: 'Welcome, Grace!', content: expect.stringContaining('Hello Grace,') }),
			welcome({ headline: 'Welcome, Linus!', content: expect.stringContaining('Hello Linus,') }),
		]);
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
			await until('another look', async () => looks() >= enough, TIMEOUT_MS);
		};
		await activate(workflow);
		await look(2);

		community.join({ first_name: 'Ada' });
		community.join({ first_name: '', username: 'grace' });
		community.join({ first_name: '<b></b>', username: 'hedy' });
		community.join({ first_name: '   ', username: '<i></i>' });
		const [first] = await executionsOf(scenery, workflow, 1);
		expect(first.status).toBe('success');
		await look(2);
		community.join({ first_name: 'Linus' });
		await executionsOf(scenery, workflow, 2);
		await look(2);

		await executionsOf(scenery, workflow, 2);
		const posts = [...community.posts.values()].filter(({ post_id }) => !before.has(post_id));
		expect(posts).toEqual([
			welcome({
				content: expect.stringContaining('just joined us: Ada, grace, hedy, a new member. Say'),
			}),
			welcome({ content: expect.stringContaining('just joined us: Linus. Say') }),
		]);
	});

	function isListing({ path }: { path: string }): boolean {
		return path === '/api/v1/users';
	}
});
