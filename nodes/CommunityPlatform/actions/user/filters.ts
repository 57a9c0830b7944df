import type { IDataObject } from 'n8n-workflow';
import { USER_STATUSES } from '../../../shared/records/codes';
import { recordKey } from '../../../shared/records/identity';
import { user } from '../../../shared/records/types';
import { toTime, trimmed } from '../../../shared/text';
import { Failure } from '../../../shared/transport';
import type { ReadValue } from '../../input/values';
import { badValue, text } from '../../input/values';
import { roleLocator } from '../locators';
import type { Field, ListingFilter } from '../operation';
import type { Input } from '../../input/input';
import { own } from '../operation';
import { statusOptions } from './fields';

const readTime: ReadValue = (value, label) => {
	// Milliseconds since 1970, as n8n's own fields of this type take them; years are no such number.
	const isMs = /^\d{11,}$/.test(trimmed(value));
	const time = isMs ? Number(value) : toTime(text(value, label));
	if (!Number.isNaN(time)) return time;
	const advice = `Give a time such as 2026-01-31T12:00:00Z in '${label}'.`;
	throw badValue(label, 'is not a time', advice);
};

const joinedAfter: Field = {
	displayName: 'Joined After',
	name: 'joinedAfter',
	type: 'dateTime',
	default: '',
	description: 'Only users who joined at this time or later; a time without a zone is UTC',
	[own]: { read: readTime },
};

/** Which users are listed or counted. The API has the status alone; the node leaves out what the others do not keep. */
export const filters: Field = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		joinedAfter,
		{
			...roleLocator,
			required: false,
			description: 'Only users with this role',
		},
		{
			displayName: 'Status',
			name: 'status',
			type: 'options',
			default: 10,
			description: 'Only users with this status. Unless it is added, the API gives active users.',
			options: statusOptions,
			routing: { send: { type: 'query', property: 'status' } },
		},
	],
};

/** The API lists the users of one status at a time. */
export function perStatus(qs: IDataObject): IDataObject[] {
	return qs.status === 'all' ? USER_STATUSES.map((status) => ({ ...qs, status })) : [qs];
}

/** What the filters and the order of a listing of users mean. */
export function memberFilter({ values: { roleId, joinedAfter }, qs }: Input): ListingFilter {
	const isByJoining = joinedAfter !== undefined;
	const { sort_by: by = isByJoining ? 'joined' : 'user_id', order = 'desc' } = qs;
	const direction = order === 'asc' ? 1 : -1;
	const isBehind = (record: IDataObject) => joinedAt(record) < Number(joinedAfter);
	const hasRole = (record: IDataObject) =>
		roleId === undefined || roleOf(record) === String(roleId);
	return {
		...((isByJoining || roleId !== undefined) && {
			keeps: (record) => !(isByJoining && isBehind(record)) && hasRole(record),
		}),
		...(isByJoining && { readIn: { sort_by: 'joined', order: 'desc' }, isBehind }),
		compare: (a, b) => direction * comparisonBy(String(by), a, b),
	};
}

function comparisonBy(by: string, a: IDataObject, b: IDataObject): number {
	if (by === 'name') return String(a.first_name ?? '').localeCompare(String(b.first_name ?? ''));
	if (by === 'joined') return toTime(a.created_at) - toTime(b.created_at) || 0;
	return Number(recordKey(a, user)) - Number(recordKey(b, user)) || 0;
}

function roleOf({ role_id: id }: IDataObject): string {
	if (id !== undefined && id !== null) return String(id);
	throw new Failure(
		'The API does not show the role of a user',
		"Take 'Role' out of the filters, or use the key of a member who may see it.",
	);
}

function joinedAt({ created_at: at }: IDataObject): number {
	const time = toTime(at);
	if (!Number.isNaN(time)) return time;
	throw new Failure(
		'The API does not show when a user joined',
		"Take 'Joined After' out of the filters, or use the key of a member who may see it.",
	);
}
