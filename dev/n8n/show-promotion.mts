import type { IDataObject, INode } from 'n8n-workflow';
import { step } from '../tools/progress.mts';
import { table } from '../tools/table.mts';
import { failureOf, outputOf } from './client.mts';
import type { Demo } from './connect.mts';
import { manualTriggerOf } from './examples.mts';
import { dueForPromotion } from './promotion.mts';

const EXAMPLE = 'promote-active-members';
const UPDATING_NODE = 'Give the New Role';

/**
 * Runs the example "Promote active members" as a dry run, for real, and once more with nothing left to do. Prints the
 * members whose role changed, read back from the community.
 *
 * @returns the failed expectations, empty if all were met
 */
export async function showPromotion({ sandbox, client, workflow }: Demo): Promise<string[]> {
	const { community, requests } = sandbox;
	const { id, name, nodes } = workflow(EXAMPLE);
	const findings: string[] = [];
	const run = async (how: string) => {
		requests.clear();
		const execution = await step(`“${name}”, ${how}`, async () =>
			client.waitForExecution(await client.runWorkflow(id, manualTriggerOf(workflow(EXAMPLE)))),
		);
		findings.push(...failureOf(execution));
		return { execution, sent: requests.matching('PATCH', '/api/v1/users/').length };
	};
	const roleOf = (roleId: number) => community.roles.get(roleId)?.role_name ?? roleId;
	const due = dueForPromotion(community).map((member) => ({ member, before: member.role_id }));

	await client.saveNodes(id, nodes.map(withDryRun));
	const dry = await run('as a dry run');
	await client.saveNodes(id, nodes);
	const items = outputOf(dry.execution, UPDATING_NODE) as IDataObject[];
	const named = items.filter(({ action }) => action === 'update').map(({ msid }) => msid);
	const wanted = due.map(({ member }) => member.msid);
	if (dry.sent > 0 || named.sort().join() !== wanted.sort().join()) {
		findings.push(
			`the dry run named ${named.length} of ${due.length} members and sent ${dry.sent} updates`,
		);
	}

	const { sent } = await run('for real');
	const promoted = due.filter(({ member, before }) => member.role_id !== before);
	if (due.length === 0 || promoted.length < due.length || sent !== due.length) {
		findings.push(`${promoted.length} of ${due.length} members were promoted by ${sent} updates`);
	}
	const again = await run('once more');
	if (again.sent > 0) findings.push(`the second run sent ${again.sent} updates`);

	console.log('\nWhat changed, read back from the community\n');
	const rows = promoted.map(({ member, before }) => [
		`${member.first_name} ${member.last_name ?? ''}`.trim(),
		member.msid,
		member.post_count,
		roleOf(before),
		roleOf(member.role_id),
	]);
	console.log(table(['Member', 'msid', 'Posts', 'Role before', 'Role now'], rows));
	if (findings.length === 0) {
		console.log('Exactly those whom the dry run named; the second run sent nothing.\n');
	}
	return findings;
}

function withDryRun(node: INode): INode {
	if (node.name !== UPDATING_NODE) return node;
	const options = { ...(node.parameters.options as object), dryRun: true };
	return { ...node, parameters: { ...node.parameters, options } };
}
