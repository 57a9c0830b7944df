import type { INodePropertyOptions } from 'n8n-workflow';
import { capitalCase } from '../labels';
import { USER_STATUS } from '../../../shared/records/codes';

// Written as everywhere else; as a code of the API it has no hyphen.
const LABELS: Record<string, string> = { WAITLIST: 'Wait-List' };

/** Every status of a user (api/README.md, "User"), in alphabetical order. */
export const statusOptions: INodePropertyOptions[] = Object.entries(USER_STATUS)
	.map(([value, name]) => ({ name: LABELS[name] ?? capitalCase(name), value: Number(value) }))
	.sort((a, b) => a.name.localeCompare(b.name));
