import type { INode } from 'n8n-workflow';
import { importExample } from '../../dev/n8n/examples.mts';
import { EXAMPLES, fileOf, WAY_TO_IMPORT, workflowOf } from '../support/examples.mts';
import { useEditor } from './support/browser.mts';
import { Canvas } from './support/canvas.mts';
import { useFixture } from './support/use-fixture.mts';

const fixture = useFixture({ webhookSecret: 'a long random text' });

describe('Examples in the editor', () => {
	const browserTest = useEditor(fixture);

	browserTest('are imported as their pages describe', async (page) => {
		const [example] = EXAMPLES;
		const [, ...choices] = WAY_TO_IMPORT;
		const canvas = await Canvas.open(page, fixture);
		const files = page.waitForEvent('filechooser');

		await page.getByTestId('workflow-menu').click();
		for (const choice of choices) {
			await page.getByRole('menuitem', { name: choice, exact: true }).click();
		}
		await (await files).setFiles(fileOf(example));

		for (const { name, type } of workflowOf(example).nodes) {
			if (!type.endsWith('.stickyNote')) await canvas.node(name).waitFor();
		}
	});

	for (const example of EXAMPLES) {
		browserTest(`show all their nodes, and no node has an open issue: ${example}`, async (page) => {
			const { client, credential } = fixture;
			const credentials = await otherCredentials();
			const workflow = await importExample(client, example, credential, (node) =>
				node.name in credentials ? { ...node, credentials: credentials[node.name] } : node,
			);

			const canvas = await Canvas.open(page, fixture, workflow);

			for (const { name, type } of workflow.nodes) {
				if (!type.endsWith('.stickyNote')) await canvas.node(name).waitFor();
			}
			expect(await page.getByTestId(/^node-(issues|setup-required)$/).count()).toBe(0);
			expect(await canvas.cutNotes()).toBe(0);
			await canvas.picture(`example-${example}`);
		});
	}
});

/** The required settings of other services' nodes, by the nodes' names. */
async function otherCredentials(): Promise<Record<string, INode['credentials']>> {
	const { client } = fixture;
	const chat = await client.createCredential('Chat model', 'openAiApi', { apiKey: 'none' });
	const bearer = await client.createCredential('MCP', 'httpBearerAuth', { token: 'none' });
	const secret = { name: 'X-Secret', value: 'none' };
	const header = await client.createCredential('Header', 'httpHeaderAuth', secret);
	const server = { host: 'mail.example', port: 465, secure: true, user: '', password: '' };
	const mail = await client.createCredential('Mail', 'smtp', server);
	return {
		'Chat Model': { openAiApi: chat },
		'MCP Server Trigger': { httpBearerAuth: bearer },
		'Payment Received': { httpHeaderAuth: header },
		'Who Has This Email': { httpHeaderAuth: header },
		'Add to the CRM': { httpHeaderAuth: header },
		'Tell the CRM': { httpHeaderAuth: header },
		'Send the Mail': { smtp: mail },
	};
}
