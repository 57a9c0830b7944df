import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import type { INodeType } from 'n8n-workflow';
import { PROJECT_FOLDER } from '../../n8n/paths.mts';
import type { Described } from './drawn-parameters.mts';

/** How many sets of parameters to try for each operation; more of them every night. */
export const RUNS = Number(process.env.RELEASE_RUNS ?? 5);

// What the action node is made of, and what its version promises to saved workflows.
const FILES = ['nodes', 'package.json', 'tsconfig.json', 'test/contract/public-contract.json'];

/** The package as it was. */
export interface Release {
	/** Its tag; where nothing has been released, an earlier commit. */
	name: string;
	node: INodeType;
	/** Parameters by operation, e.g. `user.update`, from its public contract. */
	operations: Record<string, Record<string, Described>>;
	remove: () => Promise<void>;
}

/**
 * Loads the last release before the present commit, or what stands in for it: the commit before, and in a clone without
 * any history, the present one.
 */
export async function lastRelease(): Promise<Release> {
	const name =
		(await git('describe', '--tags', '--abbrev=0', '--match', '[0-9]*', 'HEAD~1')) ||
		(await git('rev-parse', '--verify', '--quiet', 'HEAD~1')) ||
		'HEAD';
	const folder = await mkdtemp(join(tmpdir(), 'community-platform-release-'));
	const archive = join(folder, 'release.tar');
	await execa('git', ['archive', '--output', archive, name, ...FILES], { cwd: PROJECT_FOLDER });
	await execa('tar', ['-xf', archive, '-C', folder]);
	await symlink(join(PROJECT_FOLDER, 'node_modules'), join(folder, 'node_modules'));
	const load = async (file: string) =>
		(await import(pathToFileURL(join(folder, file)).href)) as object;
	const { CommunityPlatform } = (await load(
		'nodes/CommunityPlatform/CommunityPlatform.node.ts',
	)) as {
		CommunityPlatform: new () => INodeType;
	};
	const contract = JSON.parse(
		await readFile(join(folder, 'test/contract/public-contract.json'), 'utf8'),
	) as { nodes: { communityPlatform: { parameters: Release['operations'] } } };
	const { parameters } = contract.nodes.communityPlatform;
	return {
		name,
		node: new CommunityPlatform(),
		operations: Object.fromEntries(
			Object.entries(parameters).filter(([operation]) => operation.includes('.')),
		),
		remove: async () => await rm(folder, { recursive: true }),
	};
}

async function git(...args: string[]): Promise<string> {
	const { stdout } = await execa('git', args, { cwd: PROJECT_FOLDER, reject: false });
	return stdout;
}
