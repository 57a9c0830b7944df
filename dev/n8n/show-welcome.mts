import type { Post } from '../../sandbox/records.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import type { Execution, N8nClient, SavedWorkflow } from './client.mts';
import { step } from '../tools/progress.mts';
import { table } from '../tools/table.mts';
import { until } from '../tools/wait.mts';
import { productionUrl, untilRegistered } from './webhooks.mts';

const FIRST_NAME = 'Ottilie';
const BOARD = 'Introductions';
const TIMEOUT_MS = 60_000;

/** What it needs: a community, and in an n8n that is connected to it the two workflows. */
interface Stage {
	sandbox: Sandbox;
	instance: { url: string };
	client: N8nClient;
	/** The example "Welcome new members". */
	welcome: SavedWorkflow;
	/** The example "New members without a public address". */
	polling: SavedWorkflow;
}

/**
 * Activates the two examples that welcome members, makes a member join the community, and prints what
 * happened: the executions that followed, and the posts as the community has them.
 *
 * @returns whether the event was accepted, each workflow ran once and well, and each wrote its post
 */
export async function showWelcome(stage: Stage): Promise<boolean> {
	const { sandbox, client, welcome, polling } = stage;
	const { community, webhooks } = sandbox;
	const before = new Set(community.posts.keys());

	console.log('\nWelcoming');
	await step(`Activate “${welcome.name}” and “${polling.name}”`, () => activate(stage));
	const member = await step(
		'Let a member join the community',
		async () => {
			const user = community.join({ first_name: FIRST_NAME });
			await webhooks.settled();
			return user;
		},
		({ first_name, msid }) => `${first_name}, ${msid}`,
	);
	const executions = await step('Wait for both workflows to run', () =>
		Promise.all([welcome, polling].map((workflow) => firstExecution(client, workflow))),
	);
	const posts = [...community.posts.values()].filter(({ post_id }) => !before.has(post_id));

	const answers = webhooks.deliveries.map(({ status, answer }) => `${status} ${answer}`);
	console.log(`\nThe community told n8n about ${FIRST_NAME}: ${answers.join(', ')}\n`);
	const rows = [welcome, polling].map(({ name }, index) => [
		name,
		index === 0 ? 'an event of the community' : 'asking the community',
		executions[index].id,
		executions[index].status,
	]);
	console.log(table(['Workflow', 'Started by', 'Execution', 'Status'], rows));
	console.log('\nWhat was written, read back from the community\n');
	console.log(table(['Headline', 'Text', 'Board', 'Author'], posts.map(toRow(sandbox))));

	const findings = [
		...executions.filter(({ status }) => status !== 'success').map(reasonOf),
		...(webhooks.deliveries.some(({ status }) => status === 200) ? [] : ['n8n refused the event']),
		...(await extraExecutions(client, [welcome, polling])),
		...wrongPosts(sandbox, posts),
	];
	for (const finding of findings) console.log(`\n✗ ${finding}`);
	if (findings.length > 0) return false;
	console.log(`\n✓ ${member.first_name} was welcomed by both workflows, each of which ran once.`);
	return true;
}

async function activate({ sandbox, instance, client, ...stage }: Stage): Promise<void> {
	const { welcome, polling } = stage;
	const { requests, webhooks, webhookSecret } = sandbox;
	requests.clear();
	await client.activate(welcome.id);
	await client.activate(polling.id);
	const url = productionUrl(instance.url, welcome);
	await untilRegistered(url);
	webhooks.set([{ url, secret: webhookSecret, name: `the example “${welcome.name}”` }]);
	// Members who joined before the first poll count as known.
	const hasLooked = async () =>
		requests.matching('GET', '/api/v1/users').some(({ status }) => status === 200);
	await until('the polling trigger to begin', hasLooked, TIMEOUT_MS);
}

async function firstExecution(client: N8nClient, { id, name }: SavedWorkflow): Promise<Execution> {
	const begun = await until(
		`“${name}” to run`,
		async () => (await client.executions({ workflowId: id })).at(-1),
		TIMEOUT_MS,
	);
	return await client.waitForExecution(begun.id, TIMEOUT_MS);
}

async function extraExecutions(client: N8nClient, workflows: SavedWorkflow[]): Promise<string[]> {
	const counts = await Promise.all(
		workflows.map(async ({ id }) => (await client.executions({ workflowId: id })).length),
	);
	return workflows.flatMap(({ name }, index) =>
		counts[index] === 1 ? [] : [`“${name}” ran ${counts[index]} times`],
	);
}

function wrongPosts({ community }: Sandbox, posts: Post[]): string[] {
	const right = posts.filter(
		({ clean_text, board_id, author_id }) =>
			clean_text.includes(FIRST_NAME) &&
			community.boards.get(board_id)?.board_name === BOARD &&
			author_id === community.callerId,
	);
	if (posts.length === 2 && right.length === 2) return [];
	return [`2 posts were due, ${posts.length} came, ${right.length} of them as it should be`];
}

function toRow({ community }: Sandbox): (post: Post) => string[] {
	return ({ headline, clean_text, board_id, author_id }) => [
		headline,
		clean_text.length > 60 ? `${clean_text.slice(0, 59)}…` : clean_text,
		community.boards.get(board_id)?.board_name ?? String(board_id),
		community.users.get(author_id)?.first_name ?? String(author_id),
	];
}

function reasonOf({ status, data }: Execution): string {
	const { error, lastNodeExecuted } = data.resultData;
	return `an execution ended with "${status}": ${error?.message ?? 'no reason given'} (at “${lastNodeExecuted ?? 'no node'}”)`;
}
