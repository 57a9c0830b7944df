import type { INodeType } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';

const nodes: INodeType[] = [
	new CommunityPlatform(),
	new CommunityPlatformPollingTrigger(),
	new CommunityPlatformTrigger(),
];

describe('Notices', () => {
	const notices = nodes.flatMap(({ description }) =>
		description.properties.filter(({ type }) => type === 'notice'),
	);

	it('are there to be checked', () => {
		expect(notices.length).toBeGreaterThan(1);
	});

	// n8n's editor drops any other tag, and what it separated runs into each other.
	it.each(notices)('$name uses no tag but those of links and lists', ({ displayName }) => {
		const tags = [...displayName.matchAll(/<\/?\s*([\w-]+)/g)].map(([, tag]) => tag);
		expect(tags.filter((tag) => !['a', 'ul', 'li'].includes(tag))).toEqual([]);
	});
});
