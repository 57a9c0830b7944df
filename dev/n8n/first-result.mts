import { readFile } from 'node:fs/promises';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/server.mts';
import { runNode } from '../../test/support/engine.mts';
import { step } from '../tools/progress.mts';
import { table } from '../tools/table.mts';
import { dueForPromotion, PROMOTED_FROM, PROMOTED_TO } from './promotion.mts';

const EXAMPLE = new URL('../../examples/promote-active-members.json', import.meta.url);
const MEMBERS = 200;
const MOST_SHOWN = 10;

/**
 * Runs the three Community Platform nodes of the example "Promote active members" through n8n's engine, which is among
 * the devDependencies, against a local community: as a dry run, for real, and once more. Prints the members whose role
 * changed, read back from the community.
 *
 * @returns the failed expectations, empty if all were met
 */
export async function showFirstResult(): Promise<string[]> {
	const sandbox = await startSandbox({ members: MEMBERS });
	const { community, requests } = sandbox;
	try {
		const { nodes } = JSON.parse(await readFile(EXAMPLE, 'utf8')) as { nodes: INode[] };
		const parametersOf = (name: string) =>
			nodes.find((node) => node.name === name)?.parameters as INodeParameters;
		const due = dueForPromotion(community).map((member) => ({ member, before: member.role_id }));
		const { items } = await step('Read the active members', async () => {
			const listed = await runNode(sandbox, parametersOf('Get Active Members'));
			const read = parametersOf('Read Each Member');
			return await runNode(sandbox, read, { items: listed.items.map(({ json }) => json) });
		});
		const msids = new Set(due.map(({ member }) => member.msid));
		const chosen = items.map(({ json }) => json).filter(({ msid }) => msids.has(String(msid)));
		const update = async (how: string, options: IDataObject) => {
			requests.clear();
			const parameters = parametersOf('Give the New Role');
			const roleId = { __rl: true, mode: 'name', value: PROMOTED_TO };
			await step(`Promote those with enough posts, ${how}`, async () => {
				const all = { ...(parameters.options as object), onlyFrom: PROMOTED_FROM, ...options };
				const { error } = await runNode(
					sandbox,
					{ ...parameters, roleId, options: all } as INodeParameters,
					{ items: chosen },
				);
				if (error) throw error;
			});
			return requests.matching('PATCH').length;
		};
		const dry = await update('as a dry run', { dryRun: true });
		const sent = await update('for real', {});
		const again = await update('once more', {});
		const promoted = due.filter(({ member, before }) => member.role_id !== before);
		const roleOf = (roleId: number) => community.roles.get(roleId)?.role_name ?? roleId;
		const rows = promoted.map(({ member, before }) => [
			...[`${member.first_name} (${member.username})`, member.post_count],
			...[roleOf(before), roleOf(member.role_id)],
		]);
		console.log('\nWhat changed, read back from the community\n');
		console.log(table(['Member', 'Posts', 'Role before', 'Role now'], rows.slice(0, MOST_SHOWN)));
		console.log(`${promoted.length} in all.`);
		const isRight = dry === 0 && again === 0 && sent === due.length;
		return isRight && due.length > 0 && promoted.length === due.length
			? []
			: [
					`${promoted.length} of ${due.length} members were promoted by ${dry}, ${sent}, ${again} updates`,
				];
	} finally {
		await sandbox.close();
	}
}
