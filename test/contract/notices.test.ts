import { NODES } from '../support/nodes.mts';

// n8n's editor drops any other tag, and what it separated runs into each other.
it('notices have no tags but those of links and lists', () => {
	const notices = NODES.flatMap(({ description }) =>
		description.properties.filter(({ type }) => type === 'notice'),
	);
	expect(notices.length).toBeGreaterThan(1);
	const texts = notices.map(({ displayName }) => displayName).join('');
	const tags = [...texts.matchAll(/<\/?\s*([\w-]+)/g)].map(([, tag]) => tag);
	expect(tags.filter((tag) => !['a', 'ul', 'li'].includes(tag))).toEqual([]);
});
