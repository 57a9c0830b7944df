import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { PROJECT_FOLDER } from '../n8n/paths.mts';

/** Where the pictures are. */
export const PICTURES = join(PROJECT_FOLDER, 'docs/images');
/** Beside them: of what they were taken. */
export const MANIFEST = join(PICTURES, 'manifest.json');

/** What {@link shownInPictures} gave when the pictures were taken. */
export async function readManifest(): Promise<unknown> {
	return JSON.parse(await readFile(MANIFEST, 'utf8'));
}

const NODES = [CommunityPlatform, CommunityPlatformTrigger, CommunityPlatformPollingTrigger];

/**
 * What each picture shows, so that one is known to be out of date.
 *
 * @returns by file name, a hash: of the descriptions of nodes and credential for the editor, of the workflow for an example
 */
export async function shownInPictures(): Promise<Record<string, string>> {
	const { properties } = new CommunityPlatformApi();
	const editor = JSON.stringify([NODES.map((Node) => new Node().description), properties]);
	const names = (await readdir(PICTURES)).filter((name) => /^(editor|example)-/.test(name)).sort();
	const entries = names.map(async (name) => {
		const [, example] = /^example-(.+)\.png$/.exec(name) ?? [];
		const shown = example
			? await readFile(join(PROJECT_FOLDER, `examples/${example}.json`))
			: editor;
		return [name, createHash('sha256').update(shown).digest('hex')];
	});
	return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
}
