import type { Locator, Page } from 'playwright-core';
import { Picker } from './picker.mts';

/** The window with a node's parameters, its input and its output. */
export class NodeView {
	private constructor(private readonly page: Page) {}

	/** The window that is open, or is just opening. */
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

	/** What can be set for a parameter. */
	parameter(name: string): Locator {
		return this.window.getByTestId(`parameter-input-${name}`);
	}

	/** A parameter whose value is chosen from a list of the API's records. */
	picker(name: string): Picker {
		return new Picker(this.page, this.parameter(name));
	}

	/** The open list of a dropdown. */
	get dropdown(): Locator {
		// It hangs below the page, not below the parameter.
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

	/** Runs the node, and those before it as far as they have not run yet, and waits until it is over. */
	async execute(): Promise<void> {
		await this.window.getByTestId('node-execute-button').click();
		await this.output
			.getByTestId('ndv-items-count')
			.or(this.output.getByText('No output data returned'))
			.or(this.window.getByTestId('node-error-message'))
			.first()
			.waitFor();
	}

	/** How many items the node put out, as the editor says it. */
	async itemCount(): Promise<string> {
		return (await this.output.getByTestId('ndv-items-count').innerText()).trim();
	}

	/** What went wrong, and what to do about it, as the editor shows them. */
	async failure(): Promise<{ message: string; description: string }> {
		return {
			message: (await this.window.getByTestId('node-error-message').innerText()).trim(),
			description: (await this.window.getByTestId('node-error-description').innerText()).trim(),
		};
	}

	private async chooseIn(dropdown: Locator, label: string): Promise<void> {
		await dropdown.click();
		await this.entry(label).click();
		// It fades away, and would be a second one while the next list opens.
		await this.dropdown.waitFor({ state: 'hidden' });
	}
}
