import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { searchListings } from './search';

/** The picker of boards. */
export async function searchBoards(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const listing = {
		path: '/boards',
		toItem: ({ board_id: id, board_name: name }: IDataObject) => ({
			name: String(name ?? id),
			value: String(id),
		}),
	};
	return await searchListings(this, [listing], filter, paginationToken);
}
