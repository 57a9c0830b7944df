import action from '../../nodes/CommunityPlatform/CommunityPlatform.node.json';
import polling from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.json';
import trigger from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.json';

const [ofAction, ofTrigger, ofPolling] = [action, trigger, polling].map(({ alias }) => alias);

describe('the search words of the nodes in n8n', () => {
	// n8n's list of nodes has one entry for a node and its trigger, which keeps only the node's words.
	it("are the action node's for the webhook trigger, too", () => {
		expect(ofAction).toEqual(expect.arrayContaining(ofTrigger));
	});

	it.each([
		...['invite', 'left', 'banned', 'moderator', 'access', 'email'],
		...['create member', 'update member', 'change role', 'update role', 'give role', 'username'],
	])('find the package: %s', (word) => {
		expect(ofAction).toContain(word);
	});

	it.each(['users', 'members', 'welcome', 'waitlist', 'wait-list', 'wait list', 'sign up'])(
		'are the same for all nodes about members: %s',
		(word) => {
			for (const words of [ofAction, ofTrigger, ofPolling]) expect(words).toContain(word);
		},
	);

	it("of the polling trigger are changes in a person's words", () => {
		expect(ofPolling).toEqual(expect.arrayContaining(['changed members', 'changes']));
	});
});

// n8n appends its own parameters to the address, which would become part of a heading's anchor.
it.each([action, trigger, polling])('$node links to a page, not to a heading', ({ resources }) => {
	for (const { url } of resources.primaryDocumentation) expect(url).not.toContain('#');
});
