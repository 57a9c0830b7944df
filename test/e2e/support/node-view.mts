import type { Locator, Page } from 'playwright-core';
import { Picker } from './picker.mts';

/** The window with a node's parameters, its input and its output. */
export class NodeView {
	private constructor(private readonly page: Page) {}

	/** The window that is open or opening. */
	static async opened(page: Page): Promise<NodeView> {
		const view = new NodeView(page);
		await view.parameters.waitFor();
		return view;
	}

	get window(): Locator {
		return this.page.getByTestId('ndv');
	}

	get header(): Locator {
		return this.window.locator('header');
	}

	get parameters(): Locator {
		return this.window.getByTestId('node-parameters');
	}

	get input(): Locator {
		return this.page.getByTestId('ndv-input-panel');
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** The input of a parameter. */
	parameter(name: string): Locator {
		return this.window.getByTestId(`parameter-input-${name}`);
	}

	/** A parameter with a list of the API's records. */
	picker(name: string): Picker {
		return new Picker(this.page, this.parameter(name));
	}

	/** The open list of a dropdown. */
	get dropdown(): Locator {
		// It is a child of the page, not of the parameter.
		return this.page.locator('.el-select-dropdown').locator('visible=true');
	}

	/** An entry of the open list, by its label. */
	entry(label: string): Locator {
		return this.dropdown.getByRole('option').getByText(label, { exact: true });
	}

	/** Chooses an entry of a dropdown by its label. */
	async choose(parameter: string, label: string): Promise<void> {
		await this.chooseIn(this.parameter(parameter), label);
	}

	/** Adds one of the node's options by its label. */
	async addOption(label: string): Promise<void> {
		await this.chooseIn(this.parameters.getByPlaceholder('Add option', { exact: true }), label);
	}

	/** Goes back to the canvas. */
	async close(): Promise<void> {
		await this.header.getByRole('button').last().click();
		await this.window.waitFor({ state: 'hidden' });
	}

	/** Runs the node and the previous nodes that have not run yet, and waits for the end. */
	async execute(): Promise<void> {
		await this.window.getByTestId('node-execute-button').click();
		await this.output
			.getByTestId('ndv-items-count')
			.or(this.output.getByText('No output data returned'))
			.or(this.window.getByTestId('node-error-message'))
			.first()
			.waitFor();
	}

	/** The editor's text about the number of items. */
	async itemCount(): Promise<string> {
		return (await this.output.getByTestId('ndv-items-count').innerText()).trim();
	}

	/** The failure and the advice in the editor. */
	async failure(): Promise<{ message: string; description: string }> {
		return {
			message: (await this.window.getByTestId('node-error-message').innerText()).trim(),
			description: (await this.window.getByTestId('node-error-description').innerText()).trim(),
		};
	}

	private async chooseIn(dropdown: Locator, label: string): Promise<void> {
		await dropdown.click();
		await this.entry(label).click();
		// It fades out, so it would count as a second list while the next one opens.
		await this.dropdown.waitFor({ state: 'hidden' });
	}
}
