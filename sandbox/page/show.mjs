/** @import { Table } from '../view.mts' */
/** @import { News } from '../community.mts' */

/**
 * Finds an element that the page's HTML has.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function the(id, kind) {
	const found = document.getElementById(id);
	if (!(found instanceof kind)) throw new Error(`The page has no #${id}`);
	return found;
}

/**
 * Makes an element. Texts are never parsed as HTML.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, ...children) {
	const element = document.createElement(tag);
	element.append(...children);
	return element;
}

/** @type {Map<string, string>} */
const shown = new Map();

/**
 * Replaces the children of an element only if their data has changed, to keep a selection and the focus.
 *
 * @param {string} id
 * @param {unknown} value the data that they show
 * @param {() => Node[]} children
 */
export function show(id, value, children) {
	const text = JSON.stringify(value);
	if (shown.get(id) === text) return;
	shown.set(id, text);
	the(id, HTMLElement).replaceChildren(...children());
}

/**
 * Shows rows under headings, and their number.
 *
 * @param {string} id of the section
 * @param {Table} table
 */
export function showTable(id, table) {
	const { total, rows } = table;
	show(`${id}-table`, table, () => {
		const headings = Object.keys(rows[0] ?? {})
			.filter((heading) => heading !== 'URL')
			.map((heading) => Object.assign(make('th', heading), { scope: 'col' }));
		const caption = make('caption', `${rows.length} of ${total} shown, the latest first`);
		const lines = rows.map(({ URL: href, ...row }) => {
			const [first, ...others] = Object.values(row).map(textOf);
			const name = href ? Object.assign(make('a', first), { href: String(href) }) : first;
			const head = Object.assign(make('th', name), { scope: 'row' });
			return make('tr', head, ...others.map((text) => make('td', text)));
		});
		return [caption, make('thead', make('tr', ...headings)), make('tbody', ...lines)];
	});
}

/**
 * Adds and removes lines of the log. It is a polite live region, so a screen reader reads out each new line when it is
 * idle.
 *
 * @param {News[]} news the newest first
 */
export function showNews(news) {
	const log = the('news', HTMLElement);
	the('no-news', HTMLElement).hidden = news.length > 0;
	const before = new Map([...log.children].map((line) => [line.id, line]));
	const fresh = news.flatMap(({ id, time, text }) => {
		const line = make('p', make('time', textOf(time)), ` ${text}`);
		line.id = `${time}-${id}`;
		return before.delete(line.id) ? [] : line;
	});
	for (const line of before.values()) line.remove();
	log.prepend(...fresh);
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/**
 * Formats a timestamp as a time (if it is today) or a date. Returns anything else unchanged.
 *
 * @param {string | number | null} value
 */
function textOf(value) {
	if (!TIMESTAMP.test(String(value))) return String(value ?? '');
	const date = new Date(String(value));
	const isToday = date.toDateString() === new Date().toDateString();
	return (isToday ? TIME : DATE).format(date);
}
