import { importExample } from '../../dev/n8n/examples.mts';
import { EVERY_SECOND, polling } from '../../dev/n8n/polling.mts';
import { until } from '../../dev/tools/wait.mts';
import type { Post } from '../../sandbox/records.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';
const TIMEOUT_MS = 30_000;

const scenery = useStage({ members: 120, webhookSecret: SECRET });
const { activate, open } = useActivation(scenery);

/** The posts that are not there yet. */
function newPosts(): () => Post[] {
	const { posts } = scenery.sandbox.community;
	const before = new Set(posts.keys());
	return () => [...posts.values()].filter(({ post_id }) => !before.has(post_id));
}

function welcome(post: Partial<Post>) {
	const { community } = scenery.sandbox;
	const boards = [...community.boards.values()];
	const { board_id } = boards.find(({ board_name }) => board_name === 'Introductions')!;
	return expect.objectContaining({ board_id, author_id: community.callerId, ...post });
}

test('“Welcome each new member with a post” writes a post for each member of an event', async () => {
	const { client, credential, sandbox } = scenery;
	const { community, webhooks } = sandbox;
	const workflow = await importExample(client, 'welcome-new-members', credential);
	webhooks.set([{ url: await open(workflow), secret: SECRET }]);
	const posts = newPosts();
	const profiles = [
		{ first_name: 'Ada' },
		{ first_name: '   ' },
		// What a name could smuggle in is left out.
		{ first_name: 'Eve <img src="https://elsewhere.example/x.png">' },
		{ first_name: '<b></b>' },
		{ first_name: ' <i></i> ', username: '<b></b>' },
	];
	const user = profiles.map((profile, index) =>
		community.addUser({ user_id: 700 + index, ...profile }),
	);

	await webhooks.send('member.joined', { user });

	const [execution] = await executionsOf(scenery, workflow, 1);
	expect(execution.data.resultData.error).toBeUndefined();
	expect(posts()).toEqual(
		['Ada', 'member701', 'Eve', 'member703', 'new member'].map((name) =>
			welcome({
				headline: `Welcome, ${name}!`,
				content: expect.stringContaining(`<p>Hello ${name}, it is good`),
			}),
		),
	);
});

test('“Welcome new members when the community cannot reach your n8n” writes one post about all who joined since', async () => {
	const { client, credential, sandbox } = scenery;
	const { community, requests } = sandbox;
	const workflow = await importExample(
		client,
		'new-members-without-a-public-address',
		credential,
		polling(EVERY_SECOND),
	);
	const posts = newPosts();
	const polls = () => requests.all.filter(({ path }) => path === '/api/v1/users').length;
	const poll = async (times: number) => {
		const enough = polls() + times;
		await until('another poll', async () => polls() >= enough, TIMEOUT_MS);
	};
	await activate(workflow);
	await poll(2);

	community.join({ first_name: 'Ada' });
	community.join({ first_name: '', username: 'grace' });
	community.join({ first_name: '<b></b>', username: 'hedy' });
	community.join({ first_name: '   ', username: '<i></i>' });
	await executionsOf(scenery, workflow, 1);
	await poll(2);
	community.join({ first_name: 'Linus' });
	await executionsOf(scenery, workflow, 2);
	await poll(2);

	await executionsOf(scenery, workflow, 2);
	expect(posts()).toEqual([
		welcome({
			content: expect.stringContaining('just joined us: Ada, grace, hedy, a new member. Say'),
		}),
		welcome({ content: expect.stringContaining('just joined us: Linus. Say') }),
	]);
});
