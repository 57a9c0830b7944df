import { picture, useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { useStage } from '../support/use-stage.mts';
import { saveWorkflow } from '../support/workflow.mts';

const scenery = useStage();

const NOTHING_CHOSEN = { __rl: true, mode: 'list', value: '' };

describe('Running', () => {
	const { scene } = useEditor(scenery);

	scene('what the node before will give is shown before anything has run', async (page) => {
		const workflow = await saveWorkflow(scenery, 'Look ahead', [
			{ name: 'List Members', parameters: { resource: 'user', operation: 'getAll' } },
			{
				name: 'Read Member',
				parameters: { resource: 'user', operation: 'get', userId: NOTHING_CHOSEN },
			},
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Read Member');

		await view.input.getByTestId('schema-preview-warning').waitFor();
		const fields = await view.input.getByTestId('run-data-schema-item').allInnerTexts();
		expect(fields.map((field) => field.trim())).toEqual(
			expect.arrayContaining(['msid', 'username', 'role_id', 'user_status_name', 'created_at']),
		);
		expect(scenery.sandbox.requests.total).toBe(0);
		await picture(page, 'output-preview');
	});

	scene(
		'braces that would be published as they stand are pointed out while they are typed',
		async (page) => {
			const parameters = { resource: 'post', operation: 'create', boardId: NOTHING_CHOSEN };
			const workflow = await saveWorkflow(scenery, 'Welcome', [{ name: 'Write Post', parameters }]);
			const view = await (await Canvas.open(page, scenery, workflow)).openNode('Write Post');
			const headline = view.parameter('headline');
			const hint = view.output.getByText(
				'"Headline" has braces that are published as they stand. Choose Expression above the field to have them filled in.',
			);

			await headline.getByRole('textbox').pressSequentially('Welcome, {{ $json.first_name }}!');
			await hint.waitFor();
			expect(await hint.count()).toBe(1);
			expect(await view.output.getByText('"Content" has braces').count()).toBe(0);
			await picture(page, 'braces');

			await headline.hover();
			await view.window
				.getByTestId('headline-parameter-input-options-container')
				.getByTestId('radio-button-expression')
				.click();
			await hint.waitFor({ state: 'hidden' });
		},
	);

	scene(
		'an option that was added and is off is pointed out until it is turned on',
		async (page) => {
			const parameters = { resource: 'user', operation: 'updateRole', userId: NOTHING_CHOSEN };
			const workflow = await saveWorkflow(scenery, 'Promote', [{ name: 'Give Role', parameters }]);
			const view = await (await Canvas.open(page, scenery, workflow)).openNode('Give Role');
			const hint = view.output.getByText(
				'"Dry Run" is off: running this node makes the changes. Turn it on to only see them.',
			);

			await view.parameters.getByPlaceholder('Add option', { exact: true }).click();
			await view.dropdown.getByText('Dry Run', { exact: true }).click();
			await hint.waitFor();
			expect(await hint.count()).toBe(1);
			expect(await view.output.getByText('"Skip Unchanged" is off').count()).toBe(0);
			await picture(page, 'dry-run-off');

			await view.parameter('dryRun').locator('.el-switch').click();
			await hint.waitFor({ state: 'hidden' });

			await view.parameters.getByPlaceholder('Add option', { exact: true }).click();
			await view.dropdown.getByText('Skip Unchanged', { exact: true }).click();
			await view.output
				.getByText('"Skip Unchanged" is off: changes are sent even where nothing differs.')
				.waitFor();
		},
	);

	scene('items are listed', async (page) => {
		const workflow = await saveWorkflow(scenery, 'List members', [
			{ name: 'List Members', parameters: { resource: 'user', operation: 'getAll', limit: 60 } },
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('List Members');

		await view.execute();

		expect(await view.itemCount()).toBe('60 items');
		await view.output.getByText('user_status_name').first().waitFor();
		await picture(page, 'items');
	});

	scene("a failure shows the API's reason and what to do about it", async (page) => {
		const workflow = await saveWorkflow(scenery, 'Read an unknown member', [
			{
				name: 'Read Member',
				parameters: {
					resource: 'user',
					operation: 'get',
					userId: { __rl: true, mode: 'id', value: '999999' },
				},
			},
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('Read Member');

		await view.execute();

		const { message, description } = await view.failure();
		expect(message).toContain('No user has the id 999999');
		expect(description).toContain('Check "User" (999999): nothing was found there');
		await picture(page, 'failure');
	});

	scene('what a list leaves out, and why an item failed, is said above the items', async (page) => {
		const { community, faults } = scenery.sandbox;
		const third = community.members(10, 'user_id', 'desc')[2];
		const path = `/api/v1/users/${third.msid}`;
		faults.add({ kind: 'status', status: 403, message: 'closed', method: 'GET', path });
		const workflow = await saveWorkflow(scenery, 'List members with details', [
			{
				...{ name: 'List Members', onError: 'continueRegularOutput' },
				parameters: {
					...{ resource: 'user', operation: 'getAll', limit: 5 },
					options: { includeDetails: true },
				},
			},
		]);
		const view = await (await Canvas.open(page, scenery, workflow)).openNode('List Members');

		await view.execute();

		const { output } = view;
		await output
			.getByText('1 of 5 items failed: see the column error. The first reason: Closed.')
			.waitFor();
		await output.getByText('Active members only. Add Filters → Status for others.').waitFor();
		await output.getByText(/Limit of 5 items reached/).waitFor();
		expect(await output.getByText(/There may be more than "Limit"/).count()).toBe(0);
		expect(await view.itemCount()).toBe('5 items');
		await picture(page, 'failed-item');
	});
});
