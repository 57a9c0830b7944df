import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { searchListings } from './search';

/** The picker of tags; what the user types goes to the API's own search. */
export async function searchTags(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const q = filter?.trim();
	const listing = q
		? { path: '/tags/search', qs: { q }, isFiltered: true, toItem }
		: { path: '/tags', qs: { sort_by: 'name', order: 'asc' }, toItem };
	return await searchListings(this, [listing], q, paginationToken);
}

function toItem({ tag_id: id, name, display_name: displayName }: IDataObject) {
	return { name: String(displayName ?? name ?? id), value: String(id) };
}
