import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { searchListings } from './search';

/** The picker of roles. */
export async function searchRoles(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const listing = {
		path: '/roles',
		toItem: ({ role_id: id, role_name: name }: IDataObject) => ({
			name: String(name ?? id),
			value: String(id),
		}),
	};
	return await searchListings(this, [listing], filter, paginationToken);
}
