import { join } from 'node:path';
// A part of this runs in the page.
/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { NodeView } from './node-view.mts';
import { REPORTS } from './n8n.mts';
import type { Fixture } from './use-fixture.mts';

const LOAD_TIMEOUT_MS = 60_000;
// Elements that float above the canvas would cover nodes.
const ALONE = `
	#app, [data-test-id=canvas-controls] { visibility: hidden }
	[data-test-id=canvas] { visibility: visible }
`;

/** A workflow in the editor. */
export class Canvas {
	constructor(private readonly page: Page) {}

	/** Opens a saved or a new workflow. */
	static async open(page: Page, { url }: Fixture, workflow?: { id: string }): Promise<Canvas> {
		if (workflow && page.url().startsWith(url)) await goTo(page, workflow.id);
		else await page.goto(`${url}/workflow/${workflow?.id ?? 'new'}`);
		const canvas = new Canvas(page);
		// An empty canvas offers a first step. Any other canvas shows nodes.
		await page
			.getByTestId('canvas-plus-button')
			.or(page.getByTestId('canvas-node'))
			.first()
			.waitFor({ timeout: LOAD_TIMEOUT_MS });
		return canvas;
	}

	/** Types into the node creator. */
	async search(words: string): Promise<void> {
		const field = this.page.getByTestId('node-creator-search-bar');
		const opener = this.page
			.getByTestId('canvas-plus-button')
			.or(this.page.getByTestId('node-creator-plus-button'));
		if (!(await field.isVisible())) await opener.first().click();
		await field.fill(words);
	}

	/** Closes the node creator. */
	async closeCreator(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.getByTestId('node-creator').waitFor({ state: 'hidden' });
	}

	/** An entry of the node creator: a node, or an action of the node that was chosen. */
	creatorItem(name: string): Locator {
		return this.page
			.getByTestId('node-creator-item-name')
			.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** The same with its other elements, such as its icon. */
	creatorEntry(name: string): Locator {
		return this.page.getByTestId('item-iterator-item').filter({ has: this.creatorItem(name) });
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`);
	}

	/** The number of notes that are too low for their text. */
	async cutNotes(): Promise<number> {
		return await this.page.getByTestId('sticky').evaluateAll((notes) => {
			const isCut = (element: Element) =>
				getComputedStyle(element).overflowY !== 'visible' &&
				element.scrollHeight > element.clientHeight + 1;
			return notes.filter((note) => [note, ...note.querySelectorAll('*')].some(isCut)).length;
		});
	}

	/** Opens a node's parameters, input and output. */
	async openNode(name: string): Promise<NodeView> {
		await this.node(name).dblclick();
		return await NodeView.opened(this.page);
	}

	/** Runs the workflow from its manual trigger, and waits for the end. */
	async run(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
		await this.page.getByText('Workflow executed successfully').waitFor({ state: 'attached' });
	}

	/** Saves a screenshot of only the workflow in the folder of the reports. */
	async picture(name: string): Promise<void> {
		const path = join(REPORTS, 'screenshots', `${name}.png`);
		// Moves the mouse away, so that no element is shown as hovered.
		await this.page.mouse.move(0, 0);
		await this.page
			.getByTestId('canvas')
			.screenshot({ path, animations: 'disabled', style: ALONE });
	}
}

// Uses the list of workflows in the open page, so that the editor's modules are not loaded again.
async function goTo(page: Page, id: string): Promise<void> {
	const visit = async (path: string) =>
		await page.evaluate((to) => {
			history.pushState({}, '', to);
			dispatchEvent(new PopStateEvent('popstate', { state: {} }));
		}, path);
	if (await page.getByTestId('ndv').isVisible()) await (await NodeView.opened(page)).close();
	await visit('/home/workflows');
	const list = page.getByTestId('resources-list-item-workflow').first();
	const leave = page.getByRole('button', { name: 'Leave without saving' });
	await list.or(leave).first().waitFor();
	if (await leave.isVisible()) await leave.click();
	await list.waitFor();
	await visit(`/workflow/${id}`);
}
