import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { Failure, isDeclined, toNodeError } from '../failure';
import { foldName, normalized, plainName, trimmed } from '../text';
import { userList, type RecordType } from '../records/types';
import { pages } from '../pagination';
import { USER_STATUS, USER_STATUS_CODE } from '../records/codes';
import { ME, NAMED, type NamedKind, identifierOf } from '../records/identity';
import { pickerSender } from './sender';
import type { Sender } from '../transport';

// The editor asks for more only when its list can be scrolled, so a filtered list is read until it is full, or until
// MAX_PAGES if matches are rare.
const ENOUGH_ITEMS = 25;
const MAX_PAGES = 20;

const BY_ID = "switch to 'By ID' and enter the ID";

/** A list of records behind a picker. */
interface PickerSource {
	/** Names it in a pagination token. */
	key: string;
	path: string;
	qs?: IDataObject;
	type: RecordType;
	/** The name of a record in the list. Its ID if the API does not return a name, empty if the name is. */
	nameOf(record: IDataObject, id: string): string;
	/** Whether the API itself filters the list. */
	isFiltered?: boolean;
	isListed?(record: IDataObject): boolean;
	/** Whether the picker works without it, because some keys cannot list it. */
	isOptional?: boolean;
}

type Picker = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

const { ACTIVE, WAITLIST, UNVERIFIED, INVITED } = USER_STATUS_CODE;

// The API lists the members of one status at a time, by default active ones.
const users = [ACTIVE, WAITLIST, UNVERIFIED, INVITED].map((status): PickerSource => ({
	key: String(status),
	path: '/users',
	qs: { sort_by: 'name', order: 'asc', ...(status !== ACTIVE && { status }) },
	type: userList,
	nameOf: (record, id) => nameOfUser(record, id, status),
	isOptional: status !== ACTIVE,
}));

/** The picker of boards. */
export const searchBoards = pickerOf(() => [sourceOf('board')]);

/** The picker of boards to add members to: private ones first, because everyone can use the others. */
export const searchPrivateBoards = pickerOf(() => {
	const boards = sourceOf('board');
	return [
		{ ...boards, key: 'private', isListed: isPrivateBoard },
		{ ...boards, isListed: (record) => !isPrivateBoard(record) },
	];
});

/** The picker of roles. */
export const searchRoles = pickerOf(() => [sourceOf('role')]);

/** The picker of tags, which uses the API's own search. */
export const searchTags = pickerOf((filter) => {
	// People type hashtags with the sign, which is not part of a tag's name.
	const q = normalized(trimmed(filter).replace(/^#/, ''));
	const tags = { ...sourceOf('tag'), isFiltered: true };
	return q
		? [{ ...tags, path: '/tags/search', qs: { q } }]
		: [{ ...tags, qs: { sort_by: 'name', order: 'asc' } }];
});

/** The picker of members: active ones first, the others with their status. Its value is the msid, which every endpoint takes. */
export const searchUsers = pickerOf(() => users);

/** The picker of authors: the owner of the API key, then as {@link searchUsers}. */
export const searchAuthors: Picker = async function (filter = '', paginationToken) {
	const found = await search(this, users, filter, paginationToken);
	const isWanted = paginationToken === undefined && matches(ME, filter);
	return isWanted ? { ...found, results: [{ ...ME }, ...found.results] } : found;
};

/** Returns the next part of a picker's list. Throws a NodeApiError with advice. */
async function search(
	functions: ILoadOptionsFunctions,
	sources: PickerSource[],
	filter: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	try {
		const sender = await pickerSender(functions, BY_ID);
		let results: INodeListSearchItems[] = [];
		let read = 0;
		for await (const { items, next } of itemPages(sender, sources, filter, paginationToken)) {
			results = results.concat(items);
			read++;
			if (!next || (results.length < ENOUGH_ITEMS && read < MAX_PAGES)) continue;
			// The editor asks for more once its list is scrolled, which an empty one cannot be.
			if (results.length === 0 && paginationToken === undefined) {
				throw new Failure(
					'No match was found among the first entries of the list',
					`Type the name as it is spelled in the community, or ${BY_ID}.`,
				);
			}
			return { results, paginationToken: next };
		}
		if (results.length === 0 && sources === users && /.@/.test(filter)) {
			throw new Failure(
				'The list does not contain email addresses',
				"Switch to 'By Email' and enter the address there.",
			);
		}
		return { results };
	} catch (error) {
		throw toNodeError(error, functions.getNode());
	}
}

/** Yields the items of one page after another, beginning at a token, and the token of the next page if there is one. */
async function* itemPages(
	sender: Sender,
	sources: PickerSource[],
	filter: string,
	token = '',
): AsyncGenerator<{ items: INodeListSearchItems[]; next?: string }> {
	const [key, page] = token.split(':');
	const start = sources.findIndex((source) => source.key === key);
	// A member whose status changes between two requests is on two lists.
	const seen = sources === users ? new Set<string>() : undefined;
	for (const [at, source] of [...sources.entries()].slice(Math.max(0, start))) {
		const following = sources.at(at + 1);
		let number = at === start ? Number(page) || 1 : 1;
		for await (const { records, isEnd } of listed(sender, source, number, seen)) {
			number++;
			const last = following && `${following.key}:1`;
			const next = isEnd ? last : `${source.key}:${number}`;
			yield { items: matchingItems(records, source, filter), next };
		}
	}
}

/** Yields the pages of a list, beginning at one. Yields none if the key cannot list it and the picker works without it. */
async function* listed(sender: Sender, source: PickerSource, from: number, seen?: Set<string>) {
	const { path, qs, type, isOptional } = source;
	const found = pages(sender, { path, qs }, type, { from, seen });
	const first = await found.next().catch((error: unknown) => {
		if (!isOptional || !(error instanceof Failure && isDeclined(error))) throw error;
	});
	if (!first || first.done) return;
	yield first.value;
	yield* found;
}

function matchingItems(
	records: IDataObject[],
	{ type, nameOf, isFiltered, isListed = () => true }: PickerSource,
	filter: string,
): INodeListSearchItems[] {
	const items: INodeListSearchItems[] = [];
	for (const record of records) {
		// A record without a name or an ID cannot be chosen.
		const value = identifierOf(record, type);
		const name = value === undefined ? '' : nameOf(record, value);
		if (value === undefined || foldName(name) === '' || !isListed(record)) continue;
		if (isFiltered || matches({ name, value }, filter)) items.push({ name, value });
	}
	return items;
}

// Whether an entry contains every word that was typed, in its name or value. A handle can have an @ in front.
function matches({ name, value }: INodeListSearchItems, typed: string): boolean {
	const text = plainName(`${name} ${value}`);
	const words = plainName(typed).split(' ');
	return words.every((word) => text.includes(word.replace(/^@/, '')));
}

function pickerOf(sourcesFor: (filter: string) => PickerSource[]): Picker {
	return async function (filter = '', paginationToken) {
		return await search(this, sourcesFor(filter), filter, paginationToken);
	};
}

function sourceOf(kind: NamedKind): PickerSource {
	const { path, nameFields, type } = NAMED[kind];
	return {
		key: kind,
		path,
		type,
		nameOf(record, id) {
			const names = nameFields.map((field) => record[field]).filter((name) => name != null);
			const name = names.length === 0 ? id : (names.map(trimmed).find(Boolean) ?? '');
			return name !== '' && isPrivateBoard(record) ? `${name} (private)` : name;
		},
	};
}

// Only boards have it.
function isPrivateBoard(record: IDataObject): boolean {
	return record.is_private === true;
}

function nameOfUser(record: IDataObject, id: string, listedAs: number): string {
	const { username, first_name: firstName, last_name: lastName } = record;
	const handle = trimmed(username);
	const names = [trimmed(firstName), trimmed(lastName), handle && `(${handle})`].filter(Boolean);
	// A field that the owner of the key cannot see is left out (docs/api/README.md, "General response rules").
	return (names.join(' ') || id) + besides(Number(record.user_status ?? listedAs));
}

function besides(status: number): string {
	if (status === ACTIVE) return '';
	const word = status === WAITLIST ? 'wait-listed' : (USER_STATUS[status] ?? `status ${status}`);
	return `, ${word.toLowerCase()}`;
}
