import type { Page } from 'playwright-core';

/** Messages of n8n's editor that appear with any node. */
const NOISE: Array<{ text: RegExp; url: RegExp }> = [
	// It requests the logged-in account before the login.
	{ text: /status of 401/, url: /\/rest\/login$/ },
	// It requests the package from the registry, but the tests resolve no names.
	{ text: /net::ERR_NAME_NOT_RESOLVED/, url: /^https:\/\/registry\.npmjs\.org\// },
	// Thrown if a workflow is left right after one of its nodes was closed.
	{ text: /^injectNDVStore\(\) was accessed without/, url: /^$/ },
];

/** Collects console lines of level error, and uncaught exceptions. */
export class Complaints {
	/** All messages except n8n's own, in the order of arrival. */
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
