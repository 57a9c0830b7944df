import type { Page } from 'playwright-core';

/** Messages of n8n's own editor, for every node. */
const NOISE: Array<{ text: RegExp; url: RegExp }> = [
	// It asks who is logged in before the login.
	{ text: /status of 401/, url: /\/rest\/login$/ },
	// It asks the package registry about the package; no name is looked up here.
	{ text: /net::ERR_NAME_NOT_RESOLVED/, url: /^https:\/\/registry\.npmjs\.org\// },
	// Thrown where a workflow is left the moment after a node of it was closed.
	{ text: /^injectNDVStore\(\) was accessed without/, url: /^$/ },
];

/** Gathers what a page reports as going wrong: console lines of level error, and uncaught exceptions. */
export class Complaints {
	/** Everything but n8n's own noise, in the order of arrival. */
	readonly all: string[] = [];

	constructor(page: Page) {
		page.on('console', (message) => {
			if (message.type() !== 'error') return;
			this.note(message.text(), message.location().url);
		});
		page.on('pageerror', ({ message }) => this.note(message));
	}

	private note(text: string, url = ''): void {
		const isNoise = NOISE.some((known) => known.text.test(text) && known.url.test(url));
		if (!isNoise) this.all.push(url === '' ? text : `${text} (${url})`);
	}
}
