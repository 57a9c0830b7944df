import type { Page } from 'playwright-core';

/** Messages of n8n's own editor, for every node. */
const NOISE: Array<{ text: RegExp; url: RegExp }> = [
	// It asks who is logged in before the login.
	{ text: /status of 401/, url: /\/rest\/login$/ },
	// It asks the package registry about the package; no name is looked up here.
	{ text: /net::ERR_NAME_NOT_RESOLVED/, url: /^https:\/\/registry\.npmjs\.org\// },
];

/** Gathers what a page reports as going wrong: console lines of level error, and uncaught exceptions. */
export class Complaints {
	/** Everything but n8n's own noise, in the order of arrival. */
	readonly all: string[] = [];

	constructor(page: Page) {
		page.on('console', (message) => {
			if (message.type() !== 'error') return;
			const { url } = message.location();
			const isNoise = NOISE.some((known) => known.text.test(message.text()) && known.url.test(url));
			if (!isNoise) this.all.push(`${message.text()} (${url})`);
		});
		page.on('pageerror', ({ message }) => this.all.push(message));
	}
}
