import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { MEMBER_EVENTS } from '../shared/events';
import { identifyEntity, toItem } from '../shared/events';
import { USER_STATUS_CODE } from '../shared/records/codes';
import { outputMaker } from '../shared/records/output';
import { userList } from '../shared/records/types';

/**
 * Reads the parameters about output once for all members.
 *
 * @returns makes the item of a member: by "Output", the record, or what the webhook trigger gives of the same member
 */
export function itemMaker(functions: IPollFunctions): (record: IDataObject) => IDataObject {
	if (functions.getNodeParameter('output', 'member') === 'event') {
		const event = eventOf(functions.getNodeParameter('status'));
		return (record) => eventItem(event, record);
	}
	const simplify = functions.getNodeParameter('simplify', true) === true;
	return outputMaker(userList, { simplify, includeEmptyFields: true });
}

// The event by which a webhook announces members with the status (docs/api/README.md, "Events").
function eventOf(status: unknown): (typeof MEMBER_EVENTS)[number] {
	return Number(status) === USER_STATUS_CODE.WAITLIST ? 'member.joined_waitlist' : 'member.joined';
}

function eventItem(event: string, record: IDataObject): IDataObject {
	const member = { kind: 'user', record };
	const envelope = {
		event,
		job_id: null,
		received_at: new Date().toISOString(),
		dedupe_key: `${event}:${identifyEntity(member)}`,
	};
	return toItem(envelope, member);
}
