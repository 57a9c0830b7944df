import { NodeTypeParser, searchCodeBuilderNodes } from '@n8n/ai-utilities/node-catalog';
import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import type { INodeTypeDescription } from 'n8n-workflow';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';

/** The nodes as in n8n, with the package's name as a prefix. */
export const DESCRIPTIONS: INodeTypeDescription[] = [
	new CommunityPlatform(),
	new CommunityPlatformTrigger(),
	new CommunityPlatformPollingTrigger(),
].map(({ description }) => ({ ...description, name: `${PACKAGE_NAME}.${description.name}` }));

/** The text about each node that n8n's AI Builder gets for a search, in an n8n without other nodes. */
export function foundBy(query: string): Map<string, string> {
	// They have their own copy of n8n-workflow, whose types are different to TypeScript.
	const parser = new NodeTypeParser(DESCRIPTIONS as never);
	const { results } = searchCodeBuilderNodes(parser, [query]);
	const texts = results.split(/\n(?=- n8n-nodes)/).slice(1);
	return new Map(texts.map((text) => [/^- (\S+)/.exec(text)?.[1] ?? '', text]));
}

/** The text about a node's parameters that n8n's AI Builder gets (n8n, `synthesizeNodeTypeDef`). */
export function definitionOf(name: string): string {
	const description = DESCRIPTIONS.find((each) => each.name === name);
	return generateNodeTypeFile(description as Parameters<typeof generateNodeTypeFile>[0]);
}
