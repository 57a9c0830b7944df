import { ask } from './ask.mjs';
import { showForms, useForms } from './forms.mjs';
import { showNews, showTable, the } from './show.mjs';

/** @import { View } from '../view.mts' */

const INTERVAL_MS = 1_000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Counts the requests, so that an answer is not shown after a later one. */
let asked = 0;

/** Loads and shows the page's data, again every second while the page is visible. */
async function refresh() {
	clearTimeout(timer);
	const number = ++asked;
	const state = the('state', HTMLElement);
	try {
		const find = encodeURIComponent(the('find', HTMLInputElement).value);
		const view = /** @type {View} */ (await ask('GET', `/view?find=${find}`));
		if (number !== asked) return;
		state.textContent = 'Up to date';
		showNews(view.news);
		showForms(view);
		for (const [id, table] of Object.entries(view.tables)) showTable(id, table);
	} catch (reason) {
		if (number !== asked) return;
		state.textContent = `${/** @type {Error} */ (reason).message} Trying again …`;
	}
	if (!document.hidden) timer = setTimeout(refresh, INTERVAL_MS);
}

// At the URL of a post, the page shows this post.
if (location.pathname !== '/') {
	const field = the('find', HTMLInputElement);
	field.value = location.pathname;
	field.labels?.[0].scrollIntoView();
}
useForms(refresh);
the('find', HTMLInputElement).addEventListener('input', () => void refresh());
document.addEventListener('visibilitychange', () => {
	if (document.hidden) clearTimeout(timer);
	else void refresh();
});
void refresh();
