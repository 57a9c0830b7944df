import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Api } from '../shared/transport';
import { call } from '../shared/transport';
import { Failure } from '../shared/transport/failure';
import type { ApiRequest } from '../shared/transport/request';
import { isNamedBy } from '../shared/records/identity';
import { user } from '../shared/records/types';

// The form of an msid (docs/api/README.md, "User"). Anything else could turn the path into another endpoint, e.g. /users/me.
const MSID = /^\d+\.[^\s/\\?#%]+$/;

/**
 * Reads a member back from the API.
 *
 * @param claimed the user object of a delivery, which may be forged
 * @returns the API's own record, or undefined when there is no such member
 * @throws Failure when the API cannot answer
 */
export async function confirmMember(
	functions: IExecuteFunctions,
	api: Api,
	claimed: IDataObject,
): Promise<IDataObject | undefined> {
	const { msid } = claimed;
	if (typeof msid !== 'string' || !MSID.test(msid)) return undefined;
	const request: ApiRequest = {
		method: 'GET',
		repeat: 'safe',
		path: `/users/${encodeURIComponent(msid)}`,
		expects: { record: user },
	};
	const answer = await call(functions, api, request).catch((error: unknown) => {
		if (isUnknown(error)) return undefined;
		throw error;
	});
	if (answer === undefined) return undefined;
	const record = answer.body as IDataObject;
	// Another member is no confirmation: the sid may be forged.
	return isNamedBy(record, user, msid) ? record : undefined;
}

// Only the API itself can say that there is no such member: a 404 without its error body comes from something else at
// the base URL, and must not drop an event.
function isUnknown(error: unknown): boolean {
	if (!(error instanceof Failure)) return false;
	const { httpCode, status, code } = error.details;
	return httpCode === 404 && (status === 'NOT_FOUND' || code !== undefined);
}
