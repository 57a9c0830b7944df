import type { IDataObject } from 'n8n-workflow';
import type { Strategy } from '../item';
import { userList } from '../../../shared/records/types';
import { listed } from './listing';

export const count: Strategy = {
	async send(item) {
		const records = await listed(item, userList, Infinity);
		const names = await item.names.roleNamesIfShown();
		const byRole: IDataObject = {};
		for (const { role_id: id } of records) {
			const role = names?.get(String(id)) ?? String(id ?? 'unknown');
			byRole[role] = Number(byRole[role] ?? 0) + 1;
		}
		return [{ count: records.length, by_role: byRole }];
	},
};
