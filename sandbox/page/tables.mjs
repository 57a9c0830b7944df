import { keep, make, makeTime, the, write } from './dom.mjs';

/** @import { View, List, PostRow } from '../view.mts' */

/**
 * How a column's cell is made, and what is written into it as long as its row is there.
 *
 * @template Row
 * @typedef {object} Column
 * @property {string} [className]
 * @property {boolean} [isHead] whether its cell is what the row is called
 * @property {(row: Row) => Node} [make]
 * @property {(row: Row) => [text: string, className?: string]} [text]
 * @property {(cell: Element, row: Row) => void} [update]
 */

/**
 * Shows everything that stands in tables.
 *
 * @param {View} view
 */
export function showTables(view) {
	const { boards, members, tags, deliveries, requests } = view;
	show('boards', boards, [
		{ isHead: true, text: ({ name, isPrivate }) => [isPrivate ? `${name} (private)` : name] },
		{ className: 'number', text: ({ postCount }) => [String(postCount)] },
		{ update: (cell, { latest }) => keep(cell, latest, makePost, updatePost) },
	]);
	show('members', members, [
		{ isHead: true, text: ({ name }) => [name] },
		{ text: ({ role }) => [role] },
		{ text: ({ status }) => [status, status === 'ACTIVE' ? 'good' : ''] },
		{ className: 'time', make: ({ joined }) => makeTime(joined) },
		{ className: 'code', text: ({ msid }) => [msid] },
	]);
	show('tags', tags, [
		{ isHead: true, text: ({ displayName }) => [displayName] },
		{ text: ({ name }) => [name] },
		{ text: ({ description }) => [description] },
		{ className: 'number', text: ({ id }) => [String(id)] },
	]);
	show('deliveries', deliveries, [
		{ isHead: true, className: 'number', text: ({ id }) => [String(id)] },
		{ className: 'time', make: ({ begun }) => makeTime(begun) },
		{
			className: 'event',
			text: ({ event, about, repeats, place }) => [
				[event, about, repeats && `repeats ${repeats}`, `to ${place}`].filter(Boolean).join(', '),
			],
		},
		{
			className: 'answer',
			text: ({ isOpen, status, answer }) => [
				isOpen ? 'under way …' : `${status ?? 'none:'} ${answer}`,
				isOpen ? '' : statusClass(status),
			],
		},
	]);
	const refused = requests.refused > 0 ? `, ${requests.refused} refused by the rate limit` : '';
	show(
		'requests',
		requests,
		[
			{ className: 'time', make: ({ begun }) => makeTime(begun) },
			{ isHead: true, className: 'code', text: ({ method, url }) => [`${method} ${url}`] },
			{
				text: ({ isOpen, status }) => [
					isOpen ? 'open …' : String(status ?? 'cut'),
					isOpen ? '' : statusClass(status),
				],
			},
			{
				className: 'number',
				text: ({ milliseconds }) => [milliseconds === null ? '' : `${milliseconds} ms`],
			},
		],
		refused,
	);
}

/**
 * @template {{ id: number }} Row
 * @param {string} section the id of the section that holds the table
 * @param {List<Row>} list
 * @param {Column<Row>[]} columns
 * @param {string} [remark] behind how many there are
 */
function show(section, { total, rows }, columns, remark = '') {
	const within = the(`#${section}`, HTMLElement);
	const count = rows.length < total ? `${rows.length} of ${total}` : String(total);
	write(the('.count', HTMLElement, within), `${count} shown${remark}`);
	keep(
		the('tbody', HTMLElement, within),
		rows,
		(row) => makeRow(row, columns),
		(line, row) => {
			columns.forEach(({ className, text, update }, index) => {
				const cell = line.cells[index];
				if (text) {
					const [content, ofContent = ''] = text(row);
					write(cell, content, [className, ofContent].filter(Boolean).join(' '));
				}
				update?.(cell, row);
			});
		},
	);
}

/**
 * @template Row
 * @param {Row} row
 * @param {Column<Row>[]} columns
 */
function makeRow(row, columns) {
	const line = make('tr');
	for (const { isHead, className, make: makeContent } of columns) {
		const cell = make(isHead ? 'th' : 'td', className);
		if (isHead) cell.setAttribute('scope', 'row');
		if (makeContent) cell.append(makeContent(row));
		line.append(cell);
	}
	return line;
}

/** @param {PostRow} post */
function makePost({ created }) {
	const byline = make('span', 'byline', make('span'), makeTime(created));
	return make('div', 'post', make('strong'), byline, make('div'));
}

/**
 * @param {HTMLElement} element
 * @param {PostRow} post
 */
function updatePost(element, { headline, author, status, text }) {
	write(the('strong', HTMLElement, element), headline);
	const remark = status === '' ? '' : `${status}, `;
	write(the('.byline span', HTMLElement, element), `${remark}${author}, `);
	write(the('div', HTMLElement, element), text);
}

/** @param {number | null} status */
function statusClass(status) {
	return status !== null && status < 400 ? 'good' : 'bad';
}
