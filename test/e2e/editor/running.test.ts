import type { INodeParameters } from 'n8n-workflow';
import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useFixture } from '../support/use-fixture.mts';
import { saveWorkflow } from '../support/workflow.mts';

const fixture = useFixture();

const NOTHING_CHOSEN = { __rl: true, mode: 'list', value: '' };
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

describe('Running', () => {
	const browserTest = useEditor(fixture);

	browserTest('the output of the previous node is previewed before it has run', async (page) => {
		const workflow = await saveWorkflow(fixture, 'Look ahead', [
			{ name: 'List Members', parameters: { resource: 'user', operation: 'getAll' } },
			{
				name: 'Read Member',
				parameters: { resource: 'user', operation: 'get', userId: NOTHING_CHOSEN },
			},
		]);
		const view = await (await Canvas.open(page, fixture, workflow)).openNode('Read Member');

		await view.input.getByTestId('schema-preview-warning').waitFor();
		const fields = await view.input.getByTestId('run-data-schema-item').allInnerTexts();
		expect(fields.map((field) => field.trim())).toEqual(
			expect.arrayContaining(['msid', 'username', 'role_id', 'user_status_name', 'created_at']),
		);
		expect(fixture.sandbox.requests.total).toBe(0);
		await picture(page, 'output-preview');
	});

	browserTest('warnings appear during typing', async (page) => {
		const workflow = await saveWorkflow(fixture, 'Welcome', [
			{
				name: 'Write Post',
				parameters: { resource: 'post', operation: 'create', boardId: NOTHING_CHOSEN },
			},
		]);
		const post = await (await Canvas.open(page, fixture, workflow)).openNode('Write Post');
		const headline = post.parameter('headline');
		const braces = post.output.getByText("'Headline' contains {{ }}, which is published as typed.");

		await headline.getByRole('textbox').pressSequentially('Welcome, {{ $json.first_name }}!');
		await braces.waitFor();
		await headline.hover();
		await post.window
			.getByTestId('headline-parameter-input-options-container')
			.getByTestId('radio-button-expression')
			.click();
		await braces.waitFor({ state: 'hidden' });
	});

	browserTest(
		'members are filtered, reduced to some fields, and created or retrieved',
		async (page) => {
			const [{ first_name, email }] = fixture.sandbox.community.members(10, 'joined', 'desc');
			const filters = { nameContains: first_name, joinedBefore: '2100-01-01T00:00:00' };
			const options = { fields: ['first_name', 'login_count'] };
			const list = { resource: 'user', operation: 'getAll', filters, options, limit: 1 };
			const get = { resource: 'user', operation: 'createOrGet', firstName: first_name, email };
			const viewOf = async (name: string, parameters: INodeParameters) => {
				const workflow = await saveWorkflow(fixture, name, [{ name, parameters }]);
				return await (await Canvas.open(page, fixture, workflow)).openNode(name);
			};
			const view = await viewOf('List', list);
			for (const label of ['Name Contains', 'Joined Before', 'Fields']) {
				await view.parameters.getByText(label, { exact: true }).first().waitFor();
			}
			await view.execute();
			await view.output.getByText('login_count').first().waitFor();
			expect(await view.output.getByText('username').count()).toBe(0);
			const made = await viewOf('Make', get);
			await made.execute();
			await made.output.getByText('created', { exact: true }).first().waitFor();
			expect(await made.itemCount()).toBe('1 item');
		},
	);

	browserTest('items are listed', async (page) => {
		const workflow = await saveWorkflow(fixture, 'List members', [
			{ name: 'List Members', parameters: { resource: 'user', operation: 'getAll', limit: 60 } },
		]);
		const view = await (await Canvas.open(page, fixture, workflow)).openNode('List Members');

		await view.execute();

		expect(await view.itemCount()).toBe('60 items');
		await view.output.getByText('user_status_name').first().waitFor();
		await picture(page, 'items');
	});

	browserTest("a failure shows the API's reason and advice", async (page) => {
		const workflow = await saveWorkflow(fixture, 'Read an unknown member', [
			{
				name: 'Read Member',
				parameters: { resource: 'user', operation: 'get', userId: byId('999999') },
			},
		]);
		const view = await (await Canvas.open(page, fixture, workflow)).openNode('Read Member');

		await view.execute();

		const { message, description } = await view.failure();
		expect(message).toContain('No user has the id 999999');
		expect(description).toContain("Check 'Member' (999999). Either no such record exists");
		await picture(page, 'failure');
	});
});
