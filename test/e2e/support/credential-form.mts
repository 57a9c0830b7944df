import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

// A click has an effect within this time.
const PATIENCE_MS = 3_000;

/** n8n's message about a tested credential. */
export interface TestedCredential {
	status: 'OK' | 'Error';
	message: string;
}

/** The form of a credential. */
export class CredentialForm {
	private constructor(private readonly page: Page) {}

	/** Opens the form from a node without a credential, in an n8n that has no matching one. */
	static async open(page: Page): Promise<CredentialForm> {
		await page.getByTestId('node-credentials-empty-state').getByRole('button').first().click();
		const form = new CredentialForm(page);
		await form.window.waitFor();
		return form;
	}

	/** Opens the form of the node's credential, which n8n then tests again. */
	static async reopen(page: Page): Promise<CredentialForm> {
		await page.getByTestId('credential-edit-button').click();
		const form = new CredentialForm(page);
		await form.window.waitFor();
		return form;
	}

	get window(): Locator {
		return this.page.getByTestId('editCredential-modal');
	}

	/** Fills in some of the fields. */
	async fill(values: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(values)) {
			await this.window.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
		}
	}

	/** Saves the credential, which tests it, and waits for n8n's result. If the test passes, the form closes. */
	async save(): Promise<TestedCredential> {
		const area = this.window.getByTestId('credential-save-button');
		// The area around the button takes no click.
		const button = area.getByRole('button', { name: 'Save', exact: true });
		const tested = this.page.waitForResponse(
			(response) => response.url().endsWith('/rest/credentials/test'),
			{ timeout: 30_000 },
		);
		const [answer] = await Promise.all([tested, clickUntil(tested, button)]);
		// Until then, n8n ignores a click.
		await area.getByText('Testing').waitFor({ state: 'hidden' });
		return ((await answer.json()) as { data: TestedCredential }).data;
	}
}

/** Clicks, and again while n8n still ends the save before, which ignores a click. Ends when the promise is settled. */
async function clickUntil(done: Promise<unknown>, button: Locator): Promise<void> {
	await button.click();
	while (await Promise.race([done.then(() => false), sleep(PATIENCE_MS, true)])) {
		if (await button.isVisible()) await button.click();
	}
}
