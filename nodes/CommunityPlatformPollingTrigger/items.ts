import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { memberKey, toItem } from '../shared/events';
import { USER_STATUS_CODE } from '../shared/records/codes';
import { outputMaker } from '../shared/records/output';
import { userList } from '../shared/records/types';

/** Makes the item of a member: by "Output", the record, or what the webhook trigger gives of the same member. */
export function itemMaker(functions: IPollFunctions): (record: IDataObject) => IDataObject {
	if (functions.getNodeParameter('output', 'member') !== 'event') {
		const simplify = functions.getNodeParameter('simplify', true) === true;
		return outputMaker(userList, { simplify, includeEmptyFields: true });
	}
	const isWaitlist = functions.getNodeParameter('status') === USER_STATUS_CODE.WAITLIST;
	const event = isWaitlist ? 'member.joined_waitlist' : 'member.joined';
	return (record) => {
		const member = { kind: 'user', record, key: memberKey(event, record) };
		return toItem({ event, entities: {} }, new Date().toISOString(), member);
	};
}
