import { alias as ofAction } from '../../nodes/CommunityPlatform/CommunityPlatform.node.json';
import { alias as ofPolling } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.json';
import { alias as ofTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.json';

describe('the words by which n8n finds the nodes', () => {
	// n8n's list of nodes has one entry for a node and its trigger, which keeps only the node's words.
	it('are those of the action node for the webhook trigger, too', () => {
		expect(ofAction).toEqual(expect.arrayContaining(ofTrigger));
	});

	it.each(['users', 'members', 'welcome', 'waitlist', 'wait-list', 'wait list', 'sign up'])(
		'are the same for everything that starts with a member: %s',
		(word) => {
			for (const words of [ofAction, ofTrigger, ofPolling]) expect(words).toContain(word);
		},
	);
});
