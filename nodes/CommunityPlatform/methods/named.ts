import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { NamedKind } from '../../shared/records/named';
import { NAMED } from '../../shared/records/named';
import { searchListings } from './portion';
import type { PickerListing } from './pickerPages';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The picker of boards. */
export const searchBoards = pickerOf('board');

/** The picker of roles. */
export const searchRoles = pickerOf('role');

/** The picker of tags, which uses the API's own search. */
export async function searchTags(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	// Users type hashtags with the sign, which is not part of a tag's name.
	const q = filter?.trim().replace(/^#/, '');
	const listing = q
		? { ...listingOf('tag'), path: '/tags/search', qs: { q }, isFiltered: true }
		: { ...listingOf('tag'), qs: { sort_by: 'name', order: 'asc' } };
	return await searchListings(this, [listing], q, paginationToken);
}

function pickerOf(kind: NamedKind): ListSearch {
	return async function (filter, paginationToken) {
		return await searchListings(this, [listingOf(kind)], filter, paginationToken);
	};
}

function listingOf(kind: NamedKind): PickerListing {
	const { path, idField, nameFields, type } = NAMED[kind];
	return {
		path,
		type,
		toItem: (record: IDataObject) => {
			const id = String(record[idField]);
			const named = nameFields.find((field) => record[field] !== undefined);
			const name = named === undefined ? id : String(record[named] ?? id);
			return { name: isPrivate(record) ? `${name} (private)` : name, value: id };
		},
	};
}

// Some servers send 1 for yes. Only boards have it.
function isPrivate({ is_private: isPrivate }: IDataObject): boolean {
	return isPrivate === true || isPrivate === 1;
}
