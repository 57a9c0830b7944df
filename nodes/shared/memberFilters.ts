import type { IDataObject, INodeProperties, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { partsOf, trimmed } from './text';

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

// One @, and a host behind it.
const ADDRESS = /^[^\s@,;]+@([^\s@,;]+)$/;

/**
 * Whether a trigger's filters keep a member. An empty filter keeps every member; any other drops those whose record does
 * not show the role or email address.
 */
export function memberFilter(
	functions: IWebhookFunctions | IPollFunctions,
): (member: IDataObject) => boolean {
	const filters = functions.getNodeParameter('filters', {}) as IDataObject;
	const roles = partsOf(filters.roleIds).map((role) => role.replace(/^0+(?=\d)/, ''));
	const domains = partsOf(filters.emailDomains).map(hostOf);
	return ({ role_id: role, email }) => {
		const [, address = ''] = ADDRESS.exec(trimmed(email)) ?? [];
		const host = `.${hostOf(address)}`;
		const showsRoleId = roles.length === 0 || roles.includes(String(role));
		return (
			showsRoleId && (domains.length === 0 || domains.some((each) => host.endsWith(`.${each}`)))
		);
	};
}

// Of example.com, @example.com, *.example.com, ada@example.com or https://example.com.
function hostOf(domain: string): string {
	const [host] = domain
		.toLowerCase()
		.replace(/^.*(@|:\/\/)/, '')
		.split('/');
	return host.replace(/^[*.]+|(?<!\.)\.+$/g, '');
}
