import type { INodeParameters } from 'n8n-workflow';
import { useSandbox } from '../support/community.mts';
import { pastedWorkflow } from '../support/examples.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useSandbox();

it("the README's workflow welcomes a new member", async () => {
	const { nodes } = pastedWorkflow();
	const [, { parameters }] = nodes as Array<{ parameters: INodeParameters }>;
	const boardId = { __rl: true, mode: 'name', value: 'Introductions' };
	const { items, error } = await runNode(
		sandbox,
		{ ...parameters, boardId },
		{ items: [{ event: 'member.joined', user: { first_name: '<b>Ada</b>' } }] },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(items[0].json.content).toMatch(/^Welcome, &lt;b&gt;Ada&lt;\/b&gt;! What brought you/);
});
