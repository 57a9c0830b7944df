import { tryToParseDateTime, type IDataObject } from 'n8n-workflow';
import { toTime, trimmed } from '../../../shared/text';
import { USER_STATUSES } from '../../../shared/records/codes';
import { notUsable, text } from '../../../shared/values';
import { listFilters } from '../common';
import { roleLocator } from '../locators';
import { hasWords, nameContains, testOf } from '../nameFilter';
import type { ListingFilter } from '../operation';
import { statusOptions } from './fields';
import { rules, type Field, type Input, type Convert } from '../field';

// ISO 8601: a date, maybe with a time after it, and with its zone. n8n's reader takes almost anything for a time.
const TIME = /^\d{4}-\d\d-\d\d([T ][\d:.]+ ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

const readTime: Convert = (value, label, _mode, { timezone } = {}) => {
	const time = timeIn(trimmed(text(value, label)), timezone);
	if (time !== undefined) return time;
	const advice = `Enter a time such as 2026-01-31T12:00:00Z in '${label}'.`;
	throw notUsable(value, 'is not a time', advice);
};

function timeIn(entered: string, timezone?: string): number | undefined {
	// n8n's own fields of this type also accept milliseconds since 1970. Years have fewer digits and microseconds more.
	if (/^\d{11,13}$/.test(entered)) return Number(entered);
	try {
		return TIME.test(entered) ? tryToParseDateTime(entered, timezone).toMillis() : undefined;
	} catch {
		return undefined;
	}
}

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
