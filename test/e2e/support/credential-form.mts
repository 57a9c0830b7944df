import type { Locator, Page } from 'playwright-core';

/** What n8n says about a credential that it has tried. */
export interface TestedCredential {
	status: 'OK' | 'Error';
	message: string;
}

/** The form in which a credential is created or shown. */
export class CredentialForm {
	private constructor(private readonly page: Page) {}

	/** Opens the form from a node that has no credential yet, on an n8n that has none that would fit. */
	static async open(page: Page): Promise<CredentialForm> {
		await page.getByTestId('node-credentials-empty-state').getByRole('button').first().click();
		const form = new CredentialForm(page);
		await form.window.waitFor();
		return form;
	}

	/** Opens the form of the credential that the node has; n8n tries it again then. */
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

	/** Saves the credential, which tries it, and waits for n8n's verdict. The form closes if it is good. */
	async save(): Promise<TestedCredential> {
		const [answer] = await Promise.all([
			this.page.waitForResponse((response) => response.url().endsWith('/rest/credentials/test')),
			this.window.getByTestId('credential-save-button').click(),
		]);
		return ((await answer.json()) as { data: TestedCredential }).data;
	}
}
