import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { toNodeError } from '../failure';
import { pages } from '../pagination';
import { identifierOf } from '../records/identity';
import { role } from '../records/types';
import { trimmed } from '../text';
import { pickerSender } from './sender';

// As many as the pickers read for one list: 20 pages.
const MAX_ROLES = 1000;
const INSTEAD = 'switch the field to an expression and enter the role IDs, separated by commas';

/** Loads the roles for a multi-select, which saves their IDs. Throws a NodeApiError with advice. */
export async function getRoles(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const options: INodePropertyOptions[] = [];
	try {
		const sender = await pickerSender(this, INSTEAD);
		for await (const { records } of pages(sender, { path: '/roles' }, role, { limit: MAX_ROLES })) {
			for (const record of records) {
				const value = identifierOf(record, role);
				if (value) options.push({ name: trimmed(record.role_name) || value, value });
			}
		}
		return options;
	} catch (error) {
		throw toNodeError(error, this.getNode());
	}
}
