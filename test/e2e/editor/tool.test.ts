import type { INode } from 'n8n-workflow';
import { importExample } from '../../../dev/n8n/examples.mts';
import { useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useFixture } from '../support/use-fixture.mts';

const fixture = useFixture();

describe('The node as a tool', () => {
	const browserTest = useEditor(fixture);

	browserTest(
		'has Output instead of Simplify, and accepts a description for a model',
		async (page) => {
			const { client, credential } = fixture;
			const get = { resource: 'post', operation: 'get' };
			const workflow = await importExample(
				client,
				'community-tools-over-mcp',
				credential,
				(node) => (node.name === 'Get Post' ? { ...node, parameters: get } : node),
			);
			const view = await (await Canvas.open(page, fixture, workflow)).openNode('Get Post');

			await view.parameter('output').waitFor();
			expect(await view.parameter('simplify').count()).toBe(0);
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
		},
	);
});
