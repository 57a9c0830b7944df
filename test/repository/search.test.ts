import action from '../../nodes/CommunityPlatform/CommunityPlatform.node.json';
import polling from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.json';
import trigger from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.json';

const [ofAction, ofTrigger, ofPolling] = [action, trigger, polling].map(({ alias }) => alias);

describe('the words by which n8n finds the nodes', () => {
	// n8n's list of nodes has one entry for a node and its trigger, which keeps only the node's words.
	it('are those of the action node for the webhook trigger, too', () => {
		expect(ofAction).toEqual(expect.arrayContaining(ofTrigger));
	});

	it.each(['invite', 'left', 'banned', 'moderator', 'access', 'email'])(
		'find the package: %s',
		(word) => {
			expect(ofAction).toContain(word);
		},
	);

	it.each(['users', 'members', 'welcome', 'waitlist', 'wait-list', 'wait list', 'sign up'])(
		'are the same for everything that starts with a member: %s',
		(word) => {
			for (const words of [ofAction, ofTrigger, ofPolling]) expect(words).toContain(word);
		},
	);
});

// n8n appends parameters of its own to the address, which a heading would swallow.
it.each([action, trigger, polling])('$node links to a page, not to a heading', ({ resources }) => {
	for (const { url } of resources.primaryDocumentation) expect(url).not.toContain('#');
});
