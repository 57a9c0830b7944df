import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { USER_STATUS, USER_STATUS_CODE } from '../../shared/records/codes';
import { ME } from '../../shared/records/named';
import { userList } from '../../shared/records/types';
import { matches, searchListings } from './portion';
import type { PickerListing } from './pickerPages';

const { ACTIVE, WAITLIST, UNVERIFIED, INVITED } = USER_STATUS_CODE;

// The API lists the users of one status at a time, by default active ones.
const listings: PickerListing[] = [
	{ ...usersOf(ACTIVE), qs: { sort_by: 'name', order: 'asc' } },
	...[WAITLIST, UNVERIFIED, INVITED].map((status) => ({
		...usersOf(status),
		key: String(status),
		isOptional: true,
	})),
];

/**
 * The picker of users: active ones by name, then wait-listed, unverified and invited ones, with the status beside the name.
 * The value is the msid, which every endpoint takes.
 */
export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	return await searchListings(this, listings, filter, paginationToken);
}

/** The picker of authors: the owner of the API key, then as {@link searchUsers}. */
export async function searchAuthors(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
) {
	const found = await searchListings(this, listings, filter, paginationToken);
	const isWanted = paginationToken === undefined && matches(ME, filter);
	return isWanted ? { ...found, results: [{ ...ME }, ...found.results] } : found;
}

function usersOf(status: number): PickerListing {
	return {
		path: '/users',
		type: userList,
		qs: { sort_by: 'name', order: 'asc', status },
		toItem: (record) => toItem(record, status),
	};
}

function toItem(record: IDataObject, listedAs: number) {
	const { msid, user_id: userId, username, user_status: status } = record;
	const { first_name: firstName, last_name: lastName } = record;
	const names = [firstName, lastName, username && `(${String(username)})`].filter(Boolean);
	// A field that the caller may not view is left out (docs/api/README.md, "General response rules").
	const id = String(msid ?? userId);
	return { name: (names.join(' ') || id) + besides(Number(status ?? listedAs)), value: id };
}

function besides(status: number): string {
	if (status === ACTIVE) return '';
	if (status === WAITLIST) return ', wait-listed';
	return `, ${(USER_STATUS[status] ?? `status ${status}`).toLowerCase()}`;
}
