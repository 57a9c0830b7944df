import type { IDataObject, IHookFunctions, INodeProperties } from 'n8n-workflow';
import { asciiDomain, partsOf, trimmed } from './text';
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

// Of @example.com and *.example.com, too.
const domainIn = (entry: string) => asciiDomain(entry.replace(/^(@|\*?\.)/, ''));
const roleIn = (entry: string) => (/^\d+$/.test(entry) ? String(Number(entry)) : undefined);

/** The filters of a trigger; an empty one keeps every member. Throws a Failure for one that can keep none. */
export function readFilters(functions: Pick<IHookFunctions, 'getNodeParameter'>) {
	const { roleIds, emailDomains } = functions.getNodeParameter('filters', {}) as IDataObject;
	return {
		roles: entriesOf('Role IDs', roleIds, roleIn, 'numbers like 3'),
		domains: entriesOf('Email Domains', emailDomains, domainIn, 'domains like example.com'),
	};
}

type Read<T> = (entry: string) => T | undefined;

/** The entries of a parameter. Throws a Failure that names those that cannot be read, and says what to write instead. */
export function entriesOf<T>(label: string, typed: unknown, read: Read<T>, form: string): T[] {
	const entries = partsOf(typed);
	const invalid = entries.filter((entry) => read(entry) === undefined).join(', ');
	if (invalid === '') return entries.map((entry) => read(entry) as T);
	const reason = `'${label}' has entries that cannot be used: ${shortened(invalid)}`;
	throw new Failure(reason, `Write ${form}, separated by commas.`);
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
