import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { memberKey, toItem } from '../shared/events';
import { memberFilter, readFilters, refuseHidden } from '../shared/memberFilters';
import { outputMaker } from '../shared/records/output';
import { USER_STATUS_CODE } from '../shared/records/codes';
import { userDetailWithEmail, userList, type RecordType } from '../shared/records/types';
import type { Api } from '../shared/transport';
import { readMember } from './reading';

// Enough to tell whether the API shows email addresses: some members have none.
const MOST_LOOKED_AT = 10;

/** Makes the items of members whom the filters keep. If each member is read, one who is gone by then is left out. */
export function itemMaker(functions: IPollFunctions) {
	const filters = readFilters(functions);
	const isByEmail = filters.domains.length > 0;
	const { includeDetails } = functions.getNodeParameter('options', {}) as IDataObject;
	const isRead = includeDetails === true || isByEmail;
	const toJson = shaper(functions, isRead ? userDetailWithEmail : userList);
	let isShown = !isByEmail;
	return async (api: Api, found: IDataObject[], listed: IDataObject[]): Promise<IDataObject[]> => {
		const members = found.filter(memberFilter({ ...filters, domains: [] }));
		if (!isRead) return members.map(toJson);
		const read = await readAll(api, members);
		isShown ||= read.some(hasEmail);
		if (!isShown && members.length > 0) {
			const others = listed.filter((each) => !found.includes(each)).slice(0, MOST_LOOKED_AT);
			refuseHidden(await readAll(api, others), hasEmail, 'email addresses', 'Email Domains');
			isShown = true;
		}
		return read.filter(memberFilter(filters)).map(toJson);
	};
}

const hasEmail = ({ email }: IDataObject) => email;

async function readAll(api: Api, members: IDataObject[]): Promise<IDataObject[]> {
	const read = await Promise.all(members.map(async (each) => await readMember(api, each)));
	return read.filter((member) => member !== undefined);
}

/** By "Output", the record of a member, or what the webhook trigger gives of the same member. */
function shaper(functions: IPollFunctions, type: RecordType): (record: IDataObject) => IDataObject {
	if (functions.getNodeParameter('output', 'member') !== 'event') {
		const simplify = functions.getNodeParameter('simplify', true) === true;
		return outputMaker(type, { simplify, includeEmptyFields: true });
	}
	const isWaitlist = functions.getNodeParameter('status') === USER_STATUS_CODE.WAITLIST;
	const event = isWaitlist ? 'member.joined_waitlist' : 'member.joined';
	return (record) => {
		const member = { kind: 'user', record, key: memberKey(event, record) };
		return toItem({ event, entities: {} }, new Date().toISOString(), member);
	};
}
