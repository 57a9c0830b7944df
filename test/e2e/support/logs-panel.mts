// A part of this runs in the page.
/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';

/** The panel below the canvas with the output of each node that has run. */
export class LogsPanel {
	private constructor(private readonly page: Page) {}

	/** Opens the panel below a canvas, with the output of a node as a table. */
	static async open(page: Page, node: string): Promise<LogsPanel> {
		const logs = new LogsPanel(page);
		await page.getByTestId('logs-overview-header').click();
		const details = page.getByTestId('log-details-header');
		await details.waitFor();
		// A click on the node that is shown would hide its details.
		if (!(await details.innerText()).includes(node)) {
			await page.getByTestId('logs-overview-body').getByText(node, { exact: true }).click();
		}
		await logs.output.hover();
		await logs.output.getByTestId('radio-button-table').click();
		await logs.rows.first().waitFor();
		return logs;
	}

	/** Drags the panel's upper edge. */
	async enlarge(top: number): Promise<void> {
		const { mouse } = this.page;
		const { x, y, width } = (await this.page.getByTestId('logs-panel').boundingBox())!;
		await mouse.move(x + width / 2, y);
		await mouse.down();
		await mouse.move(x + width / 2, top, { steps: 5 });
		await mouse.up();
		await mouse.move(0, 0);
	}

	/** How many rows of the table are visible without scrolling, down to their last line. */
	async rowsInSight(): Promise<number> {
		return await this.rows.evaluateAll((rows) => {
			const isInSight = (row: Element) => {
				const { left, bottom } = row.getBoundingClientRect();
				return row.contains(document.elementFromPoint(left + 5, bottom - 2));
			};
			return rows.filter(isInSight).length;
		});
	}

	/** Removes the panel's settings, because other tests in this browser expect it closed. */
	async forget(): Promise<void> {
		await this.page.evaluate(() => {
			const keys = Object.keys(localStorage).filter((key) => /^N8N_(LOGS|CANVAS_CHAT)_/.test(key));
			for (const key of keys) localStorage.removeItem(key);
		});
	}

	private get output(): Locator {
		return this.page.getByTestId('log-details-output');
	}

	private get rows(): Locator {
		return this.output.locator('tbody tr');
	}
}
