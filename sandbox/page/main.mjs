import { showControls, useControls } from './controls.mjs';
import { the, write } from './dom.mjs';
import { ask } from './endpoints.mjs';
import { tellNews } from './news.mjs';
import { showFaults } from './switches.mjs';
import { showTables } from './tables.mjs';

const INTERVAL_MS = 1_000;
const ALL = '1000';

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Counts the requests, so that an answer is not shown after a later one. */
let asked = 0;

/** Asks for what there is to show, shows it, and asks again in a second while the page is visible. */
async function refresh() {
	clearTimeout(timer);
	const number = ++asked;
	const state = the('#state', HTMLElement);
	try {
		const view = await ask('GET', `/view?${query()}`);
		if (number !== asked) return;
		write(state, 'Up to date', '');
		tellNews(view);
		showControls(view, refresh);
		showTables(view, refresh);
		showFaults(view, refresh);
	} catch (reason) {
		if (number !== asked) return;
		write(state, `${/** @type {Error} */ (reason).message} Trying again …`, 'lost');
	}
	if (!document.hidden) timer = setTimeout(refresh, INTERVAL_MS);
}

function query() {
	const words = new URLSearchParams({ find: the('#find', HTMLInputElement).value });
	for (const box of document.querySelectorAll('input[data-all]:checked')) {
		words.set(/** @type {HTMLElement} */ (box).dataset.all ?? '', ALL);
	}
	return words;
}

useControls(refresh);
the('#find', HTMLInputElement).addEventListener('input', () => void refresh());
for (const box of document.querySelectorAll('input[data-all]')) {
	box.addEventListener('change', () => void refresh());
}
document.addEventListener('visibilitychange', () => {
	if (document.hidden) clearTimeout(timer);
	else void refresh();
});
void refresh();
