import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { searchListing } from './search';

/** The picker of users: active ones by name. Their msid is what every endpoint takes. */
export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const listing = { path: '/api/v1/users', qs: { sort_by: 'name', order: 'asc' }, toItem };
	return await searchListing(this, listing, filter, paginationToken);
}

function toItem({ msid, user_id: userId, username, first_name: firstName }: IDataObject) {
	const names = [firstName, username && `(${String(username)})`].filter(Boolean);
	// A field that the caller may not view is left out (specification, "General response rules" 2).
	const id = String(msid ?? userId);
	return { name: names.join(' ') || id, value: id };
}
