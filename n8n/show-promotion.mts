import type { Sandbox } from '../sandbox/server.mts';
import type { Execution, N8nClient, SavedWorkflow } from './client.mts';
import { manualTriggerOf } from './examples.mts';
import { step } from '../tools/progress.mts';
import { differences, membersAfterPromotion, membersNow, roleChanges } from './promotion.mts';
import { table } from '../tools/table.mts';

const FINDINGS_SHOWN = 10;

/** What the run needs: a community, and the workflow in an n8n that is connected to it. */
interface Stage {
	sandbox: Sandbox;
	client: N8nClient;
	workflow: SavedWorkflow;
}

/**
 * Runs the example "Promote active members", prints whose role changed according to the community, and
 * holds it against what had to change.
 *
 * @returns whether exactly that changed, each member being updated once
 */
export async function showPromotion({ sandbox, client, workflow }: Stage): Promise<boolean> {
	const { community, requests } = sandbox;
	const before = membersNow(community);
	const expected = membersAfterPromotion(community, before);
	requests.clear();

	console.log('\nRunning');
	const execution = await step(`“${workflow.name}”`, async () =>
		client.waitForExecution(await client.runWorkflow(workflow.id, manualTriggerOf(workflow))),
	);
	const after = membersNow(community);
	const changes = roleChanges(community, before, after);
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
	}

	const due = roleChanges(community, before, expected).length;
	const updates = requests.matching('PATCH', '/api/v1/users/').length;
	const findings: string[] = [];
	if (execution.status !== 'success') {
		findings.push(`the execution ended with "${execution.status}": ${reasonOf(execution)}`);
	}
	if (due === 0) findings.push('no member was due for a promotion, so the run shows nothing');
	if (updates !== due) findings.push(`${updates} updates were sent for ${due} members`);
	findings.push(...differences(expected, after));
	if (findings.length === 0) {
		console.log(
			`\n✓ ${changes.length} of ${after.size} members have a new role, each updated once.`,
		);
		console.log('  Exactly those who were due; nothing else about any member changed.');
		return true;
	}
	console.log(`\n✗ ${changes.length} of ${after.size} members have a new role; ${due} were due.`);
	for (const finding of findings.slice(0, FINDINGS_SHOWN)) console.log(`  - ${finding}`);
	const more = findings.length - FINDINGS_SHOWN;
	if (more > 0) console.log(`  - and ${more} more`);
	return false;
}

function reasonOf(execution: Execution): string {
	const { error, lastNodeExecuted } = execution.data.resultData;
	return `${error?.message ?? 'no reason given'} (at “${lastNodeExecuted ?? 'no node'}”)`;
}
