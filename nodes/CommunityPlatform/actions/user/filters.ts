import type { IDataObject } from 'n8n-workflow';
import { Failure, quoted } from '../../../shared/failure';
import { isTimezone, toTime, trimmed } from '../../../shared/text';
import { USER_STATUSES } from '../../../shared/records/codes';
import { badValue, text } from '../../../shared/values';
import { listFilters } from '../common';
import { roleLocator } from '../locators';
import { hasWords, nameContains, testOf } from '../nameFilter';
import type { ListingFilter } from '../operation';
import { statusOptions } from './fields';
import { rules, type Field, type Input, type Convert } from '../../input/field';

const readTime: Convert = (value, label, _mode, { timezone } = {}) => {
	if (timezone && !isTimezone(timezone)) {
		throw new Failure(
			`The workflow's timezone ${quoted(timezone)} does not exist`,
			"Choose another 'Timezone' in the workflow's settings.",
		);
	}
	// n8n's own fields of this type also accept milliseconds since 1970. Years have fewer digits and microseconds more.
	const isMs = /^\d{11,13}$/.test(trimmed(value));
	const time = isMs ? Number(value) : toTime(text(value, label), timezone);
	if (!Number.isNaN(time)) return time;
	const advice = `Enter a time such as 2026-01-31T12:00:00Z in '${label}'.`;
	throw badValue(label, 'is not a time', advice);
};

const joinedAfter: Field = {
	displayName: 'Joined After',
	name: 'joinedAfter',
	type: 'dateTime',
	default: '',
	placeholder: 'e.g. 2026-01-31T12:00',
	description:
		"Only members who joined since this time, in the workflow's timezone. For the last 30 days: {{ $now.minus(30, 'days') }}.",
	[rules]: { convert: readTime },
};

const joinedBefore: Field = {
	...joinedAfter,
	displayName: 'Joined Before',
	name: 'joinedBefore',
	description: "Only members who joined before this time, in the workflow's timezone",
};

/** Which members are listed or counted. The API filters only by status, so the node applies the other filters. */
export const filters = listFilters([
	joinedAfter,
	joinedBefore,
	nameContains(
		'e.g. ada',
		'Only members with each of these words in the username or first name, ignoring case and accents',
	),
	{ ...roleLocator, required: false, description: 'Only members with this role' },
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		default: 10,
		description: 'Only members with this status. Without this filter, only active members.',
		options: statusOptions,
		routing: { send: { type: 'query', property: 'status' } },
	},
]);

/** Returns a query for each status, because the API lists the members of one status at a time. */
export function perStatus(qs: IDataObject): IDataObject[] {
	return qs.status === 'all' ? USER_STATUSES.map((status) => ({ ...qs, status })) : [qs];
}

/** Returns what the filters of a list of members mean. */
export function listingFilterOf({ values, qs }: Input): ListingFilter {
	const { roleId, joinedAfter: after, joinedBefore: before, nameContains: words } = values;
	const { sort_by: by = 'joined', order = 'desc' } = qs;
	const isNewestFirst = by === 'joined' && order === 'desc';
	const tests = [
		after !== undefined &&
			testOf('join time', 'Joined After', joinedAt, (time) => time >= Number(after)),
		before !== undefined &&
			testOf('join time', 'Joined Before', joinedAt, (time) => time < Number(before)),
		roleId !== undefined && testOf('role', 'Role', roleOf, (id) => id === String(roleId)),
		words !== undefined && hasWords(words, ['username', 'first_name']),
	].filter((test) => test !== false);
	return {
		...(tests.length > 0 && {
			matches: (record) => tests.map((test) => test.matches(record)).every(Boolean),
			requireReturned: () => tests.forEach((test) => test.requireReturned()),
		}),
		...(after !== undefined && { order: { sort_by: by, order } }),
		...(after !== undefined &&
			isNewestFirst && { isOlderThanWanted: (record) => joinedAt(record) < Number(after) }),
	};
}

const roleOf = ({ role_id: id }: IDataObject) => trimmed(id);
const joinedAt = ({ created_at: at }: IDataObject) => toTime(at);
