import type { Locator, Page } from 'playwright-core';

/** A parameter with a searchable list that is loaded page by page. */
export class Picker {
	constructor(
		private readonly page: Page,
		private readonly parameter: Locator,
	) {}

	/** The entries of the open list. */
	get entries(): Locator {
		return this.page.getByTestId('rlc-item').locator('visible=true');
	}

	/** The selected entry. */
	async chosen(): Promise<string> {
		return await this.parameter.getByTestId('rlc-input').inputValue();
	}

	/** Opens the list and waits for its first entries. */
	async open(): Promise<void> {
		await this.parameter.getByTestId('rlc-input').click();
		await this.entries.first().waitFor();
	}

	/** Scrolls to the last entry and waits for more. */
	async loadMore(): Promise<void> {
		const before = await this.entries.count();
		await this.entries.last().scrollIntoViewIfNeeded();
		await this.entries.nth(before).waitFor();
	}

	/** Types into the search field, and waits until the list contains only entries with `shown`. */
	async search(text: string, shown = text): Promise<void> {
		await this.page.getByTestId('rlc-search').locator('visible=true').fill(text);
		const others = this.entries.filter({ hasNotText: new RegExp(shown, 'i') });
		await others.waitFor({ state: 'detached' });
		await this.entries.first().waitFor();
	}

	/** Chooses an entry of the open list by its label. */
	async choose(label: string): Promise<void> {
		await this.entries.filter({ has: this.page.getByText(label, { exact: true }) }).click();
	}

	/** The available modes. */
	async modes(): Promise<string[]> {
		await this.openModes();
		const labels = await this.modeEntries.allInnerTexts();
		await this.page.keyboard.press('Escape');
		return labels.map((label) => label.trim());
	}

	/** Selects a mode. */
	async switchTo(mode: string): Promise<void> {
		await this.openModes();
		await this.modeEntries.filter({ has: this.page.getByText(mode, { exact: true }) }).click();
	}

	/**
	 * Types a name or an ID in a text mode, and waits until the editor has saved it, because n8n runs the saved workflow.
	 */
	async type(text: string): Promise<void> {
		const saved = this.page.waitForResponse((response) => {
			const request = response.request();
			return request.method() === 'PATCH' && !!request.postData()?.includes(JSON.stringify(text));
		});
		await this.parameter.getByTestId('rlc-input').fill(text);
		await saved;
	}

	private get modeEntries(): Locator {
		return this.page.locator('.el-select-dropdown__item').locator('visible=true');
	}

	private async openModes(): Promise<void> {
		await this.parameter.getByTestId('rlc-mode-selector').click();
		await this.modeEntries.first().waitFor();
	}
}
