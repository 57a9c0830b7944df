import { importExample } from '../../dev/n8n/examples.mts';
import { EVERY_SECOND, polling } from '../../dev/n8n/polling.mts';
import type { Post } from '../../sandbox/records.mts';
import { executionsOf, polls, useActivation } from './support/active.mts';
import { submitForm } from './support/delivering.mts';
import { useFixture } from './support/use-fixture.mts';

const SECRET = 'a long random text';
const [ADMIN, CONTRIBUTOR] = [1, 21];

const fixture = useFixture({ members: 120, webhookSecret: SECRET });
const { activate, open } = useActivation(fixture);

/** Returns the posts that were added since. */
function newPosts(): () => Post[] {
	const { posts } = fixture.sandbox.community;
	const before = new Set(posts.keys());
	return () => [...posts.values()].filter(({ post_id }) => !before.has(post_id));
}

function welcome(post: Partial<Post>) {
	const { community } = fixture.sandbox;
	const boards = [...community.boards.values()];
	const { board_id } = boards.find(({ board_name }) => board_name === 'Introductions')!;
	return expect.objectContaining({ board_id, author_id: community.callerId, ...post });
}

test('“Welcome each new member with a post” writes a post for each member of an event', async () => {
	const { client, credential, sandbox } = fixture;
	const { community, webhooks } = sandbox;
	const workflow = await importExample(client, 'welcome-new-members', credential);
	webhooks.set([{ url: await open(workflow), secret: SECRET }]);
	const posts = newPosts();
	const profiles = [
		{ first_name: 'Ada' },
		{ first_name: '   ' },
		// HTML in a name is shown as text.
		{ first_name: 'Eve <img src="https://elsewhere.example/x.png">' },
		{ first_name: '<b></b>' },
		{ first_name: '  ', username: ' ' },
	];
	const user = profiles.map((profile, index) =>
		community.addUser({ user_id: 700 + index, ...profile }),
	);

	await webhooks.send('member.joined', { user });

	const [execution] = await executionsOf(fixture, workflow, 1);
	expect(execution.data.resultData.error).toBeUndefined();
	expect(posts()).toEqual(
		[
			'Ada',
			'member701',
			'Eve &lt;img src="https://elsewhere.example/x.png"&gt;',
			'&lt;b&gt;&lt;/b&gt;',
			'new member',
		].map((name) => welcome({ content: expect.stringContaining(`Hello ${name}, it is good`) })),
	);
});

test('“Welcome new members without a public address” writes one post about all members who joined since', async () => {
	const { client, credential, sandbox } = fixture;
	const { community } = sandbox;
	const workflow = await importExample(
		client,
		'new-members-without-a-public-address',
		credential,
		polling(EVERY_SECOND),
	);
	const posts = newPosts();
	await activate(workflow);
	await polls(fixture);

	community.join({ first_name: 'Ada' });
	community.join({ first_name: '', username: 'grace' });
	community.join({ first_name: '<b>Hedy</b>' });
	community.join({ first_name: '   ', username: ' ' });
	await executionsOf(fixture, workflow, 1);
	await polls(fixture);
	community.join({ first_name: 'Linus' });
	await executionsOf(fixture, workflow, 2);
	await polls(fixture);

	await executionsOf(fixture, workflow, 2);
	expect(posts()).toEqual([
		welcome({
			content: expect.stringContaining(
				'just joined us: Ada, grace, &lt;b&gt;Hedy&lt;/b&gt;, a new member. Say',
			),
		}),
		welcome({ content: expect.stringContaining('just joined us: Linus. Say') }),
	]);
});

test('“Turn a form submission into a member” sets role and board for new members and those with the role Member, and only the board for others', async () => {
	const { client, credential, sandbox } = fixture;
	const { community } = sandbox;
	const ada = { first_name: 'Ada', email: 'ada@form.example', role_id: ADMIN };
	const admin = community.addUser(ada);
	const member = community.addUser({ first_name: 'Ida', email: 'ida@form.example' });
	const before = community.users.size;
	const workflow = await importExample(client, 'a-form-makes-members', credential);
	await activate(workflow);

	await submitForm(fixture, workflow, ['Grace', 'grace@form.example']);
	await executionsOf(fixture, workflow, 1);
	await submitForm(fixture, workflow, ['Eve', ' Ada@form.example']);
	await executionsOf(fixture, workflow, 2);
	await submitForm(fixture, workflow, ['Ida', 'ida@form.example']);
	const executions = await executionsOf(fixture, workflow, 3);

	const errors = executions.map(({ data }) => data.resultData.error);
	expect(errors).toEqual([undefined, undefined, undefined]);
	expect(community.users.size).toBe(before + 1);
	const grace = [...community.users.values()].find(({ email }) => email === 'grace@form.example');
	expect(grace).toMatchObject({ first_name: 'Grace', role_id: CONTRIBUTOR });
	expect(community.user(admin.msid)).toMatchObject(ada);
	expect(community.user(member.msid).role_id).toBe(CONTRIBUTOR);
	const board = [...community.boards.values()].find(({ board_name }) => board_name === 'Design')!;
	const insiders = [...community.boardMembers.get(board.board_id)!];
	expect(insiders).toEqual(expect.arrayContaining([grace?.msid, admin.msid, member.msid]));
});
