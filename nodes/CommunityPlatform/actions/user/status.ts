import type { INodePropertyOptions } from 'n8n-workflow';
import { capitalCase } from '../labels';
import { USER_STATUS } from '../../../shared/records/codes';

// With a hyphen, as everywhere else; the API's code has none.
const LABELS: Record<string, string> = { WAITLIST: 'Wait-List' };

const codes: INodePropertyOptions[] = Object.entries(USER_STATUS).map(([value, name]) => ({
	name: LABELS[name] ?? capitalCase(name),
	value: Number(value),
}));

/** Every status of a user (docs/api/README.md, "User"), active users first. */
export const statusCodes = Object.keys(USER_STATUS)
	.map(Number)
	.sort((a, b) => b - a);

/** The options of a filter by status, with All, in alphabetical order. */
export const statusOptions: INodePropertyOptions[] = [
	...codes,
	{ name: 'All', value: 'all', description: 'Users with any status, one status after another' },
].sort((a, b) => a.name.localeCompare(b.name));
