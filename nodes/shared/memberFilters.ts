import type { IDataObject, IHookFunctions, INodeProperties } from 'n8n-workflow';
import { asciiDomain, readParts, trimmed } from './text';
import { Failure, shortened } from './transport';

export const roleIds: INodeProperties = {
	displayName: 'Role IDs',
	name: 'roleIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. 3, 14',
	description:
		'Only members with one of these roles: their IDs, separated by commas, or an array from an expression',
};

export const emailDomains: INodeProperties = {
	displayName: 'Email Domains',
	name: 'emailDomains',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com, example.org',
	description: 'Only members with an email address at one of these domains; subdomains count',
};

/** The collection "Filters" of a trigger, with options in alphabetical order of their labels. */
export function filtersOf(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		description: 'Which members start the workflow; all, unless a filter is added',
		options,
	};
}

// One @, and a domain behind it.
const ADDRESS = /^[^\s@,;]+@([^\s@,;]+)$/;

/** The filters of a trigger; an empty one keeps every member. Throws a Failure for one that can keep none. */
export function readFilters(functions: Pick<IHookFunctions, 'getNodeParameter'>) {
	const filters = functions.getNodeParameter('filters', {}) as IDataObject;
	const roles = readParts(filters.roleIds, roleIn);
	const domains = readParts(filters.emailDomains, domainIn);
	refuse("'Role IDs' has entries that are not role IDs", roles, 'numbers like 3');
	refuse("'Email Domains' has entries that are not domains", domains, 'domains like example.com');
	return { roles: roles.values, domains: domains.values };
}

/** Refuses entries of a parameter that are not what they have to be, with the reason and the right form. */
export function refuse(reason: string, { invalid }: { invalid: string[] }, form: string): void {
	if (invalid.length === 0) return;
	const entries = shortened(invalid.join(', '));
	throw new Failure(`${reason}: ${entries}`, `Write ${form}, separated by commas.`);
}

/** Whether a trigger's filters keep a member: none whose record does not show the role or email address asked for. */
export function memberFilter(functions: Pick<IHookFunctions, 'getNodeParameter'>) {
	const { roles, domains } = readFilters(functions);
	return ({ role_id: role, email }: IDataObject): boolean => {
		const [, address = ''] = ADDRESS.exec(trimmed(email)) ?? [];
		const domain = `.${asciiDomain(address) ?? ''}`;
		const hasRole = roles.length === 0 || roles.includes(String(role));
		return hasRole && (domains.length === 0 || domains.some((each) => domain.endsWith(`.${each}`)));
	};
}

function roleIn(part: string): string | undefined {
	return /^\d+$/.test(part) ? part.replace(/^0+(?=\d)/, '') : undefined;
}

// Of @example.com and *.example.com, too.
function domainIn(part: string): string | undefined {
	return asciiDomain(part.replace(/^(@|\*?\.)/, ''));
}
