/**
 * Finds an element that the page's HTML has.
 *
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} [within]
 * @returns {T}
 */
export function the(selector, kind, within = document) {
	const found = within.querySelector(selector);
	if (!(found instanceof kind)) throw new Error(`The page has no ${selector}`);
	return found;
}

/**
 * Makes an element. Texts stay texts: nothing is read as HTML.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, className = '', ...children) {
	const element = document.createElement(tag);
	if (className !== '') element.className = className;
	element.append(...children);
	return element;
}

/**
 * Sets a text only if it differs, so that an unchanged one is not read out again and keeps its selection.
 *
 * @param {Element} element
 * @param {string} text
 * @param {string} [className]
 */
export function write(element, text, className = element.className) {
	if (element.textContent !== text) element.textContent = text;
	if (element.className !== className) element.className = className;
}

/** @type {WeakMap<Element, Map<number | string, Element>>} */
const shown = new WeakMap();

/**
 * Brings the children of an element in line with a list. What is there already stays the same element,
 * where it was if the order is the same: focus and a screen reader's place are kept.
 *
 * @template {{ id: number | string }} Item
 * @template {Element} Child
 * @param {Element} parent all of whose children are kept by this
 * @param {Item[]} items
 * @param {(item: Item) => Child} create makes the child of an item
 * @param {(child: Child, item: Item) => void} [update] writes into it what can change
 */
export function keep(parent, items, create, update = () => {}) {
	const known = /** @type {Map<Item['id'], Child>} */ (shown.get(parent) ?? new Map());
	shown.set(parent, known);
	const wanted = new Set(items.map(({ id }) => id));
	for (const [id, child] of known) {
		if (wanted.has(id)) continue;
		child.remove();
		known.delete(id);
	}
	let place = parent.firstElementChild;
	for (const item of items) {
		const child = known.get(item.id) ?? create(item);
		known.set(item.id, child);
		update(child, item);
		if (child === place) place = place.nextElementSibling;
		else parent.insertBefore(child, place);
	}
}

const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/**
 * A time of today, or a date.
 *
 * @param {string} timestamp ISO 8601
 * @returns {HTMLTimeElement}
 */
export function makeTime(timestamp) {
	const date = new Date(timestamp);
	const isToday = date.toDateString() === new Date().toDateString();
	const element = make('time', '', (isToday ? TIME : DATE).format(date));
	element.dateTime = timestamp;
	element.title = date.toLocaleString('en-GB');
	return element;
}
