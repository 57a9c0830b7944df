import { keep, make, makeTime, the, write } from './dom.mjs';
import { ask } from './endpoints.mjs';
import { tell } from './news.mjs';

/** @import { View, List, PostRow, BoardRow, MemberRow, TagRow } from '../view.mts' */

/** So many members of a private board are named, and how many more there are. */
const NAMED = 5;

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
 * @param {() => Promise<void>} refresh shows at once what changed
 */
export function showTables(view, refresh) {
	const { boards, members, tags, deliveries, requests } = view;
	show('boards', boards, [
		{
			isHead: true,
			make: (board) => makeBoard(board, refresh),
			update: updateBoard,
		},
		{ className: 'number', text: ({ postCount }) => [String(postCount)] },
		{ update: (cell, { latest }) => keep(cell, latest, makePost, updatePost) },
	]);
	show('members', members, [
		{ isHead: true, make: makeMember, update: updateMember },
		{ text: ({ role }) => [role] },
		{ text: ({ status }) => [status, status === 'ACTIVE' ? 'good' : ''] },
		{ className: 'number', text: ({ postCount }) => [String(postCount)] },
		{ className: 'time', make: ({ joined }) => makeTime(joined) },
		{ className: 'code', text: ({ msid }) => [msid] },
	]);
	show('tags', tags, [
		{ isHead: true, make: () => make('span', 'tag'), update: updateTag },
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

/**
 * @param {BoardRow} board
 * @param {() => Promise<void>} refresh
 */
function makeBoard({ id, name }, refresh) {
	const button = make('button', 'small', 'Remove board');
	button.type = 'button';
	button.setAttribute('aria-label', `Remove board ${name}`);
	button.addEventListener('click', () => {
		// Moves the focus first: the button that has it is removed.
		the('#boards-title', HTMLElement).focus();
		void ask('DELETE', `/boards/${id}`)
			.then(() => tell(`The board ${name} was removed, with its posts.`))
			.catch((reason) => tell(reason.message, 'bad'))
			.then(refresh);
	});
	return make('div', '', make('span', 'name'), make('span', 'byline members'), button);
}

/**
 * @param {Element} cell
 * @param {BoardRow} board
 */
function updateBoard(cell, { name, isPrivate, members }) {
	write(the('.name', HTMLElement, cell), isPrivate ? `${name} (private)` : name);
	const more = members.length > NAMED ? ` and ${members.length - NAMED} more` : '';
	const named = members.slice(0, NAMED).join(', ');
	write(the('.members', HTMLElement, cell), isPrivate ? `Members: ${named || 'none'}${more}` : '');
}

function makeMember() {
	const profile = make('details', '', make('summary', '', 'Profile'), make('dl'));
	return make('div', '', make('span', 'name'), make('span', 'byline username'), profile);
}

/**
 * @param {Element} cell
 * @param {MemberRow} member
 */
function updateMember(cell, { name, username, profile }) {
	write(the('.name', HTMLElement, cell), name);
	write(the('.username', HTMLElement, cell), username);
	const entries = Object.entries(profile).map(([label, value]) => ({ id: label, value }));
	keep(
		the('dl', HTMLElement, cell),
		entries,
		({ id }) => make('div', '', make('dt', '', id), make('dd')),
		(entry, { value }) => write(the('dd', HTMLElement, entry), value || '(empty)'),
	);
}

/**
 * @param {Element} cell
 * @param {TagRow} tag
 */
function updateTag(cell, { displayName, backColor, textColor }) {
	const label = the('.tag', HTMLElement, cell);
	write(label, displayName);
	label.style.backgroundColor = backColor;
	label.style.color = textColor;
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
