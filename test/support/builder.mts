import { NodeTypeParser, searchCodeBuilderNodes } from '@n8n/ai-utilities/node-catalog';
import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import type { INodeTypeDescription } from 'n8n-workflow';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';

/** The nodes as n8n knows them: their names begin with the package's. */
export const DESCRIPTIONS: INodeTypeDescription[] = [
	new CommunityPlatform(),
	new CommunityPlatformTrigger(),
	new CommunityPlatformPollingTrigger(),
].map(({ description }) => ({ ...description, name: `${PACKAGE_NAME}.${description.name}` }));

/** What n8n's AI Builder is given about each node when it searches, in an n8n with no others. */
export function foundBy(query: string): Map<string, string> {
	// They come with a copy of n8n-workflow of their own, whose types are other ones to TypeScript.
	const parser = new NodeTypeParser(DESCRIPTIONS as never);
	const { results } = searchCodeBuilderNodes(parser, [query]);
	const texts = results.split(/\n(?=- n8n-nodes)/).slice(1);
	return new Map(texts.map((text) => [/^- (\S+)/.exec(text)?.[1] ?? '', text]));
}

/** What n8n's AI Builder is given about the parameters of a node (n8n, `synthesizeNodeTypeDef`). */
export function definitionOf(name: string): string {
	const description = DESCRIPTIONS.find((each) => each.name === name);
	return generateNodeTypeFile(description as Parameters<typeof generateNodeTypeFile>[0]);
}
