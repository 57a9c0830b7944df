import { step } from '../tools/progress.mts';
import { table } from '../tools/table.mts';
import { until } from '../tools/wait.mts';
import { failureOf, type SavedWorkflow } from './client.mts';
import type { Demo } from './connect.mts';
import { EVERY_SECOND, polling } from './polling.mts';
import { productionUrl, untilRegistered } from './webhooks.mts';

const WELCOME = 'welcome-new-members';
const POLLING = 'new-members-without-a-public-address';
const FIRST_NAME = 'Ottilie';
const BOARD = 'Introductions';
const TEXT_SHOWN = 60;
const TIMEOUT_MS = 60_000;

/**
 * Activates the two examples that welcome members, makes a member join the community, and prints the resulting posts
 * from the community. Deactivates both at the end.
 *
 * @returns the failed expectations, empty if all were met
 */
export async function showWelcome(demo: Demo): Promise<string[]> {
	const { sandbox, client, workflow } = demo;
	const { community, webhooks } = sandbox;
	const before = new Set(community.posts.keys());
	const byEvent = workflow(WELCOME);
	const byPolling = workflow(POLLING);
	// Short, because a person watches.
	await client.saveNodes(byPolling.id, byPolling.nodes.map(polling(EVERY_SECOND)));
	await step(`Activate “${byEvent.name}” and “${byPolling.name}”`, () => activate(demo));
	await step('Let a member join the community', async () => {
		community.join({ first_name: FIRST_NAME });
		await webhooks.settled();
	});
	const executions = await step('Wait for both workflows to run', () =>
		Promise.all([byEvent, byPolling].map((each) => firstExecution(demo, each))),
	);
	// Only the person's own workflows welcome members who join later.
	webhooks.set([]);
	for (const { id } of [byEvent, byPolling]) await client.deactivate(id);
	await client.saveNodes(byPolling.id, byPolling.nodes);
	const active = (await client.workflows()).filter((each) => each.active);

	const posts = [...community.posts.values()].filter(({ post_id }) => !before.has(post_id));
	const boardOf = (id: number) => community.boards.get(id)?.board_name ?? String(id);
	const rows = posts.map(({ headline, clean_text: text, board_id }) => [
		headline,
		text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN - 1)}…` : text,
		boardOf(board_id),
	]);
	console.log('\nWhat was written, read back from the community\n');
	console.log(table(['Headline', 'Text', 'Board'], rows));
	const right = posts.filter(
		(post) => post.clean_text.includes(FIRST_NAME) && boardOf(post.board_id) === BOARD,
	);
	return [
		...executions.flatMap(failureOf),
		...active.map(({ name }) => `“${name}” is still active`),
		...(posts.length === 2 && right.length === 2 ? [] : [`${posts.length} posts came, 2 were due`]),
	];
}

async function activate({ sandbox, instance, client, workflow }: Demo): Promise<void> {
	const { requests, webhooks, webhookSecret } = sandbox;
	const welcome = workflow(WELCOME);
	requests.clear();
	await client.activate(welcome.id);
	await client.activate(workflow(POLLING).id);
	const url = productionUrl(instance.url, welcome);
	await untilRegistered(url);
	webhooks.set([{ url, secret: webhookSecret, name: `the example “${welcome.name}”` }]);
	// Members who joined before the first poll count as known.
	const hasPolled = async () =>
		requests.matching('GET', '/api/v1/users').some(({ status }) => status === 200);
	await until('the polling trigger to begin', hasPolled, TIMEOUT_MS);
}

async function firstExecution({ client }: Demo, { id, name }: SavedWorkflow) {
	const begun = await until(
		`“${name}” to run`,
		async () => (await client.executions({ workflowId: id })).at(-1),
		TIMEOUT_MS,
	);
	return await client.waitForExecution(begun.id, TIMEOUT_MS);
}
