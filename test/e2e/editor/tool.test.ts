import type { INode } from 'n8n-workflow';
import { importExample } from '../../../dev/n8n/examples.mts';
import { useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useStage } from '../support/use-stage.mts';

const scenery = useStage();

describe('The node as a tool', () => {
	const { scene } = useEditor(scenery);

	/** The tools of an example, one of them changed. */
	async function toolsWith(name: string, parameters: INode['parameters']) {
		const { client, credential } = scenery;
		return await importExample(client, 'community-tools-over-mcp', credential, (node) =>
			node.name === name ? { ...node, parameters } : node,
		);
	}

	scene('has Output, with single fields to choose, in place of Simplify', async (page) => {
		const workflow = await toolsWith('List Boards', { resource: 'board', operation: 'getAll' });
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('List Boards');

		await view.parameter('output').waitFor();
		expect(await view.parameter('simplify').count()).toBe(0);

		await view.choose('output', 'Selected Fields');
		await view.openDropdown('fields');
		for (const field of ['About', 'Board Name']) {
			await view.dropdown.getByText(field, { exact: true }).click();
		}
		expect(await view.parameter('fields').innerText()).toMatch(/About\s+Board Name/);
	});

	scene('takes a description to paste for a parameter that is left to a model', async (page) => {
		const workflow = await toolsWith('Get Post', { resource: 'post', operation: 'get' });
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Get Post');

		await view.parameter('postId').hover();
		await view.window.getByTestId('from-ai-override-button').first().click();
		await view.window.getByTestId('selectable-list-selectable-description').click();
		await view.parameter('description').locator('textarea, input').fill('The number of the post');
		await view.close();

		const saving = page.waitForRequest(
			(request) => request.method() === 'PATCH' && request.url().includes('/rest/workflows/'),
		);
		await page.keyboard.press('Control+s');
		const { nodes } = (await saving).postDataJSON() as { nodes: INode[] };
		const { parameters } = nodes.find(({ name }) => name === 'Get Post') as INode;
		expect(parameters.postId).toContain("$fromAI('Post_ID', `The number of the post`, 'string')");
	});
});
