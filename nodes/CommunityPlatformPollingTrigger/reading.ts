import type { IDataObject } from 'n8n-workflow';
import { Failure, isGone } from '../shared/failure';
import { isInAnotherOrder, type NewRecords } from '../shared/pagination';
import { identifierOf } from '../shared/records/identity';
import { user, userList } from '../shared/records/types';
import type { Api } from '../shared/transport';
import { READ } from '../shared/transport';
import { timesOf, type Reading } from './cursor';

/** 10,000 members, whose items fit into memory. */
const MAX_PAGES_OF_POLL = 200;

/** Reads pages of members until `isEnough`, the end or an error, and keeps what it found (docs/decisions.md, A25). */
export async function readPages(
	pages: AsyncIterable<NewRecords>,
	isEnough: (page: IDataObject[]) => boolean,
): Promise<Reading> {
	const reading: Reading = { records: [], pages: 0, now: 0, isAll: false, isComplete: false };
	try {
		for await (const { records, isEnd, answeredAt } of pages) {
			if (++reading.pages === 1) reading.now = answeredAt;
			const members = records.filter((record) => identifierOf(record, userList) !== undefined);
			if (members.length < records.length) {
				const what = 'has members without an ID (msid or user_id)';
				reading.error = unreliable(what, 'The trigger cannot tell if they are new.');
			}
			reading.records = reading.records.concat(members);
			reading.isAll = isEnd;
			reading.isComplete = isEnd || isEnough(members);
			if (reading.isComplete || reading.pages === MAX_PAGES_OF_POLL) break;
		}
	} catch (error) {
		reading.error ??= error;
	}
	if (!reading.isAll && isInAnotherOrder(timesOf(reading.records))) {
		const what = 'is not sorted by sign-up date, newest first';
		reading.error ??= unreliable(what, 'The trigger cannot find new members in it.');
	}
	return reading;
}

/** Reads a member and adds the details to the listed fields. Undefined if the member is gone or has no ID. */
export async function readDetails(api: Api, member: IDataObject): Promise<IDataObject | undefined> {
	const id = identifierOf(member, user);
	if (id === undefined) return undefined;
	const path = `/users/${encodeURIComponent(id)}`;
	const reading = api.send({ ...READ, path, expects: { record: user, id } });
	const answer = await reading.catch((error: unknown) => {
		if (!isGone(error)) throw error;
	});
	return answer ? { ...member, ...(answer.body as IDataObject) } : undefined;
}

/** Whether a page is enough to start. Others may still join in the same instant as the newest member. */
export function isStart(page: IDataObject[]): boolean {
	const times = timesOf(page);
	return page.length > 0 && (times.length === 0 || times.at(-1) !== times[0]);
}

function unreliable(what: string, consequence: string): Failure {
	const advice = `${consequence} Send this text to your community platform's support.`;
	return new Failure(`The list of members ${what}`, advice);
}
