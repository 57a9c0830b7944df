import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { comment, post, reply } from '../../nodes/shared/records/types.ts';
import { definitionOf, DESCRIPTIONS, foundBy } from '../support/builder.mts';

const TYPES = DESCRIPTIONS.map(({ name }) => name);
const [action, webhookTrigger] = TYPES;

// The texts for n8n's AI Builder: a list of nodes with hints for a search, then the parameters of the selected node.
// n8n's own functions make both texts here.
describe('a search of the AI Builder', () => {
	const found = foundBy('community platform');

	it('finds the three nodes, each with a hint when to choose it', () => {
		for (const type of TYPES) {
			expect(found.get(type)).toMatch(/\n {2}@builderHint [A-Z].{80,}\./);
		}
	});

	it('lists the nodes that belong to the action node and the webhook trigger', () => {
		for (const type of [action, webhookTrigger]) {
			const others = TYPES.filter((each) => each !== type);
			const text = found.get(type) ?? '';
			for (const other of others) expect(text).toMatch(new RegExp(`- ${other}: "[A-Z].+"`));
		}
	});

	it('correctly names what the node cannot do', () => {
		const [, hint] = /@builderHint (.*)/.exec(found.get(action) ?? '') ?? [];
		const all = resources.flatMap(({ operations }) => operations);
		const isListed = (record: unknown) =>
			all.some(
				(operation) => operation.strategy?.name === 'listing' && operation.record === record,
			);
		const contents = Object.entries({ posts: post, comments: comment, replies: reply });
		const byIdOnly = contents.filter(([, record]) => !isListed(record)).map(([plural]) => plural);
		const inWords = byIdOnly.join(', ').replace(/, (\w+)$/, ' and $1');
		expect(hint.includes('It cannot delete anything')).toBe(
			!all.some(({ request }) => (request.method as string) === 'DELETE'),
		);
		expect(hint).toContain(`anything, and ${inWords} are reached by their ID only`);
	});
});

describe('the definition of the node that the AI Builder reads', () => {
	const definition = definitionOf(action);

	it('has the modes from the hints', () => {
		const locators = DESCRIPTIONS.flatMap(({ properties }) => properties).filter(
			({ type }) => type === 'resourceLocator',
		);
		expect(locators.length).toBeGreaterThan(5);
		for (const { modes = [], builderHint } of locators) {
			const spoken = [...(builderHint?.propertyHint ?? '').matchAll(/mode '(\w+)'/g)];
			const names = modes.map(({ name }) => name);
			expect(names).toEqual(expect.arrayContaining(spoken.map(([, mode]) => mode)));
			expect(spoken.some(([, mode]) => mode === 'name')).toBe(names.includes('name'));
		}
	});

	it('has Output only for the tool, and Simplify only for the node', () => {
		expect(definition).toMatch(/@displayOptions\.show \{ @tool: \[true\] \}[^/]*\*\/\s*output\?/);
		expect(definition).toMatch(/@displayOptions\.hide \{ @tool: \[true\] \}[^/]*\*\/\s*simplify\?/);
	});
});

it("the nodes in the hints are the package's", () => {
	const related = DESCRIPTIONS.flatMap(({ builderHint }) => builderHint?.relatedNodes ?? []);
	expect(related.map(({ nodeType }) => nodeType).filter((type) => !TYPES.includes(type))).toEqual(
		[],
	);
	expect(related.length).toBeGreaterThan(3);
});
