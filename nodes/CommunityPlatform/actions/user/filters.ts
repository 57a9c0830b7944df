import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../../shared/failure';
import { foldName, normalized, toTime, trimmed } from '../../../shared/text';
import { USER_STATUSES } from '../../../shared/records/codes';
import { recordKey } from '../../../shared/records/identity';
import { user } from '../../../shared/records/types';
import { badValue, text, type Input, type ReadValue } from '../../input/values';
import { roleLocator } from '../locators';
import { own, type Field, type ListingFilter } from '../operation';
import { statusOptions } from './fields';

const readTime: ReadValue = (value, label) => {
	// Milliseconds since 1970, as n8n's own fields of this type take them; neither years nor microseconds have such a number.
	const isMs = /^\d{11,13}$/.test(trimmed(value));
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
	description: 'Only users who joined at this time or later, in UTC, e.g. 2026-01-31T12:00',
	[own]: { read: readTime },
};

const joinedBefore: Field = {
	...joinedAfter,
	displayName: 'Joined Before',
	name: 'joinedBefore',
	description: 'Only users who joined before this time, in UTC, e.g. 2026-01-31T12:00',
};

const nameContains: Field = {
	displayName: 'Name Contains',
	name: 'nameContains',
	type: 'string',
	default: '',
	placeholder: 'e.g. ada',
	description:
		'Only users with this text in the username or the first name (lists have no last names), whatever case and accents',
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
		joinedBefore,
		nameContains,
		{ ...roleLocator, required: false, description: 'Only users with this role' },
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
export function memberFilter({ values, qs }: Input): ListingFilter {
	const { roleId, joinedAfter, joinedBefore, nameContains } = values;
	const isByJoining = joinedAfter !== undefined;
	const { sort_by: by = isByJoining ? 'joined' : 'user_id', order = 'desc' } = qs;
	const direction = order === 'asc' ? 1 : -1;
	const isBehind = (record: IDataObject) => joinedAt(record) < Number(joinedAfter);
	const part = plainName(trimmed(nameContains).replace(/^@/, ''));
	const wanted: Array<(record: IDataObject) => boolean> = [];
	if (isByJoining) wanted.push((record) => !isBehind(record));
	if (joinedBefore !== undefined) wanted.push((each) => joinedAt(each) < Number(joinedBefore));
	if (roleId !== undefined) wanted.push((record) => roleOf(record) === String(roleId));
	if (part !== '') {
		wanted.push(({ username, first_name }) =>
			[username, first_name].some((name) => plainName(name).includes(part)),
		);
	}
	return {
		...(wanted.length > 0 && { keeps: (record) => wanted.every((keeps) => keeps(record)) }),
		...(isByJoining && { readIn: { sort_by: 'joined', order: 'desc' }, isBehind }),
		compare: (a, b) => direction * comparisonBy(String(by), a, b),
	};
}

// Without accents, which people leave out.
function plainName(name: unknown): string {
	return normalized(foldName(name), 'NFD').replace(/\p{M}/gu, '');
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
		'Take the filter by join time out, or use the key of a member who may see it.',
	);
}
