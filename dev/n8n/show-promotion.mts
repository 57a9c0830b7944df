import type { IDataObject, INode } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.mts';
import type { Execution, N8nClient, SavedWorkflow } from './client.mts';
import { outputOf } from './client.mts';
import { manualTriggerOf } from './examples.mts';
import { step } from '../tools/progress.mts';
import type { RoleChange } from './promotion.mts';
import { differences, membersAfterPromotion, membersNow, roleChanges } from './promotion.mts';
import { table } from '../tools/table.mts';

const FINDINGS_SHOWN = 10;
const UPDATING_NODE = 'Give the New Role';

/** What the run needs: a community, and the workflow in an n8n that is connected to it. */
interface Stage {
	sandbox: Sandbox;
	client: N8nClient;
	workflow: SavedWorkflow;
}

/**
 * Runs the example "Promote active members" three times: as a dry run, which says who would be promoted; for real, and
 * prints whose role changed according to the community; once more, when there is nothing left to do. Compares each with
 * what had to happen.
 *
 * @returns whether exactly that happened, each member being updated once
 */
export async function showPromotion(stage: Stage): Promise<boolean> {
	const { community } = stage.sandbox;
	const before = membersNow(community);
	const expected = membersAfterPromotion(community, before);
	const due = roleChanges(community, before, expected);
	console.log('\nRunning');
	const findings = [
		...(due.length === 0 ? ['no member was due for a promotion, so the run shows nothing'] : []),
		...(await showDryRun(stage, due)),
		...(await showRun(stage, due.length)),
		...(await showRepeat(stage)),
		...differences(expected, membersNow(community)),
	];
	if (findings.length === 0) {
		console.log(
			`\n✓ ${due.length} of ${before.size} members have a new role, each updated once; a second run sent nothing.`,
		);
		console.log('  Exactly those whom the dry run named; nothing else about any member changed.');
		return true;
	}
	const changed = roleChanges(community, before, membersNow(community)).length;
	console.log(`\n✗ ${changed} of ${before.size} members have a new role; ${due.length} were due.`);
	for (const finding of findings.slice(0, FINDINGS_SHOWN)) console.log(`  - ${finding}`);
	const more = findings.length - FINDINGS_SHOWN;
	if (more > 0) console.log(`  - and ${more} more`);
	return false;
}

async function showDryRun(stage: Stage, due: RoleChange[]): Promise<string[]> {
	const { client, workflow } = stage;
	const { nodes } = await client.workflow(workflow.id);
	await client.saveNodes(workflow.id, nodes.map(withDryRun));
	const { execution, updates } = await run(stage, 'as a dry run');
	await client.saveNodes(workflow.id, nodes);
	const planned = (outputOf(execution, UPDATING_NODE) as IDataObject[])
		.filter(({ action }) => action === 'update')
		.map(({ msid }) => String(msid));
	console.log(`    It would promote ${planned.length} members, and has sent no change.`);
	const wanted = due.map(({ member }) => member.msid);
	return [
		...failureOf(execution),
		...(updates > 0 ? [`the dry run sent ${updates} updates`] : []),
		...(planned.sort().join() === wanted.sort().join()
			? []
			: [`the dry run named ${planned.length} members, ${wanted.length} were due`]),
	];
}

async function showRun(stage: Stage, due: number): Promise<string[]> {
	const { community } = stage.sandbox;
	const before = membersNow(community);
	const { execution, updates } = await run(stage, 'for real');
	const changes = roleChanges(community, before, membersNow(community));
	const rows = changes.map(({ member, from, to }) => [
		`${member.first_name} ${member.last_name ?? ''}`.trim(),
		member.msid,
		member.post_count,
		from,
		to,
	]);
	if (rows.length > 0) {
		console.log('\nWhat changed, read back from the community\n');
		console.log(table(['Member', 'msid', 'Posts', 'Role before', 'Role now'], rows));
		console.log();
	}
	return [
		...failureOf(execution),
		...(updates === due ? [] : [`${updates} updates were sent for ${due} members`]),
	];
}

async function showRepeat(stage: Stage): Promise<string[]> {
	const { execution, updates } = await run(stage, 'once more');
	if (updates === 0) console.log('    No member was left to promote.');
	return [
		...failureOf(execution),
		...(updates > 0 ? [`the second run sent ${updates} updates`] : []),
	];
}

async function run(
	{ sandbox, client, workflow }: Stage,
	how: string,
): Promise<{ execution: Execution; updates: number }> {
	const { requests } = sandbox;
	requests.clear();
	const execution = await step(`“${workflow.name}”, ${how}`, async () =>
		client.waitForExecution(await client.runWorkflow(workflow.id, manualTriggerOf(workflow))),
	);
	return { execution, updates: requests.matching('PATCH', '/api/v1/users/').length };
}

function withDryRun(node: INode): INode {
	if (node.name !== UPDATING_NODE) return node;
	const options = { ...(node.parameters.options as object), dryRun: true };
	return { ...node, parameters: { ...node.parameters, options } };
}

function failureOf({ status, data }: Execution): string[] {
	if (status === 'success') return [];
	const { error, lastNodeExecuted } = data.resultData;
	const reason = `${error?.message ?? 'no reason given'} (at “${lastNodeExecuted ?? 'no node'}”)`;
	return [`the execution ended with "${status}": ${reason}`];
}
