import { userSelf } from '../../../shared/records/types';
import type { Operation } from '../operation';
export const getSelf: Operation = {
	name: 'Get Own Details',
	value: 'getSelf',
	action: 'Get own details',
	description: 'Get the user whose API key is in the credential',
	request: { method: 'GET', url: '/users/me' },
	strategy: 'one',
	record: userSelf,
	hasRole: true,
	fields: [],
};
