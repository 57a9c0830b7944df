import type { INodeType } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';

export const NODES: INodeType[] = [
	new CommunityPlatform(),
	new CommunityPlatformTrigger(),
	new CommunityPlatformPollingTrigger(),
];
