import { make, makeTime, the } from './dom.mjs';

/** @import { View } from '../view.mts' */

const KEPT = 20;
/** Up to so many of one kind are announced one by one; of more, the number and the newest. */
const ONE_BY_ONE = 3;

/** @type {View | undefined} */
let before;

/**
 * Adds a line to the list of news, a polite live region: a screen reader reads it out when it is idle.
 *
 * @param {string} text
 * @param {'good' | 'bad'} [kind] of news
 */
export function tell(text, kind = 'good') {
	const news = the('#news', HTMLElement);
	news.prepend(make('p', kind === 'bad' ? 'bad' : '', makeTime(new Date().toISOString()), text));
	while (news.childElementCount > KEPT) news.lastElementChild?.remove();
}

/**
 * Announces what is new since the previous view; nothing for the first one.
 *
 * @param {View} view
 */
export function tellNews(view) {
	if (before) {
		tellNew(before.newest.members, view.newest.members, 'members', ({ name, role, status }) =>
			status === 'WAITLIST' ? `${name} joined the wait-list.` : `${name} joined as ${role}.`,
		);
		tellDeliveries(before, view);
		tellUpdates(before.updates, view.updates);
		tellNew(
			before.newest.posts,
			view.newest.posts,
			'posts',
			({ headline, board, author }) => `New post in ${board} by ${author}: “${headline}”`,
		);
	}
	before = view;
}

/**
 * @template {{ id: number }} Row
 * @param {Row[]} known the newest first
 * @param {Row[]} rows the newest first
 * @param {string} kind
 * @param {(row: Row) => string} sentence
 */
function tellNew(known, rows, kind, sentence) {
	const last = known[0]?.id ?? 0;
	const fresh = rows.filter(({ id }) => id > last).reverse();
	if (fresh.length <= ONE_BY_ONE) return fresh.forEach((row) => tell(sentence(row)));
	const atLeast = fresh.length === rows.length ? 'at least ' : '';
	tell(`${atLeast}${fresh.length} new ${kind}, the latest: ${sentence(fresh[fresh.length - 1])}`);
}

/**
 * @param {View['updates']} earlier
 * @param {View['updates']} updates
 */
function tellUpdates(earlier, updates) {
	for (const [resource, total] of Object.entries(updates)) {
		const count = total - (earlier[resource] ?? 0);
		if (count > 0) tell(`${count} ${count === 1 ? 'update' : 'updates'} of ${resource}.`);
	}
}

/**
 * Of many deliveries, the accepted ones are only counted; every other outcome is shown.
 *
 * @param {View} earlier
 * @param {View} view
 */
function tellDeliveries(earlier, view) {
	const known = earlier.newest.deliveries;
	const { deliveries } = view.newest;
	const ended = new Set(known.filter(({ isOpen }) => !isOpen).map(({ id }) => id));
	const oldest = known.at(-1)?.id ?? 0;
	const fresh = deliveries
		.filter(({ id, isOpen }) => !isOpen && !ended.has(id) && id >= oldest)
		.reverse();
	const accepted = fresh.filter(({ isAccepted }) => isAccepted);
	const isCounted = fresh.length > ONE_BY_ONE && accepted.length > 1;
	if (isCounted) {
		const isAll = fresh.length < deliveries.length || deliveries.length === view.deliveries.total;
		tell(`${isAll ? '' : 'at least '}${accepted.length} deliveries were accepted.`);
	}
	for (const { event, about, place, outcome, status, isAccepted } of fresh) {
		if (isCounted && isAccepted) continue;
		const what = about === '' ? event : `${event} about ${about}`;
		const isReceived = status !== null && status < 300;
		tell(`The delivery of ${what} to ${place} ${outcome}`, isReceived ? 'good' : 'bad');
	}
}
