import type {
	IDataObject,
	IHookFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { isExpression } from 'n8n-workflow';
import { Failure, shortened } from './failure';
import { asciiDomain, splitList, trimmed } from './text';
import { badValue, booleanValue, listOf, oneOf, type Convert } from './values';

export const roleIds: INodeProperties = {
	// The label and the description that n8n's linter asks for.
	displayName: 'Role Names or IDs',
	name: 'roleIds',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getRoles' },
	default: [],
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

export const emailDomains: INodeProperties = {
	displayName: 'Email Domains',
	name: 'emailDomains',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com, example.org',
	description: 'Email domains that start the workflow, separated by commas. Includes subdomains.',
};

/** Makes the collection "Filters" of a trigger, with options in alphabetical order of their labels. */
export function triggerFilters(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		description: 'Which members start the workflow. Without a filter, all members do.',
		options,
	};
}

// One @, and a domain after it.
const ADDRESS = /^[^\s@,;<>]+@([^\s@,;<>]+)$/;

// Also accepts @example.com and *.example.com.
const domainIn = (entry: string) => asciiDomain(entry.replace(/^(@|\*?\.)/, ''));
const roleIn = (entry: string) => (/^\d+$/.test(entry) ? String(Number(entry)) : undefined);

/**
 * Makes a reader of a trigger's switches and dropdowns. It accepts what the action node accepts, because a generated
 * workflow may have them as text. It throws a Failure that names the parameter.
 */
export function parameterReader(properties: INodeProperties[]) {
	const all = properties.flatMap((each) =>
		each.type === 'collection' ? ((each.options ?? []) as INodeProperties[]) : each,
	);
	const byName = new Map(all.map((each) => [each.name, each]));
	return (functions: Pick<IHookFunctions, 'getNodeParameter'>) =>
		(name: string, fallback?: unknown): unknown => {
			const property = byName.get(name.replace('options.', '')) as INodeProperties;
			const unset = (fallback ?? property.default) as object;
			const value: unknown = functions.getNodeParameter(name, unset);
			return converterOf(property)(value, property.displayName);
		};
}

function converterOf({ type, required, options = [] }: INodeProperties): Convert {
	if (type === 'boolean') return booleanValue;
	const one = oneOf(options as INodePropertyOptions[]);
	if (type !== 'multiOptions') return one;
	return (value, label) => {
		const chosen = listOf(one)(value, label) as unknown[];
		if (chosen.length > 0 || !required) return chosen;
		throw badValue(label, 'is empty', `Choose at least one entry in '${label}'.`);
	};
}

type ParameterFunctions = Pick<IHookFunctions, 'getNodeParameter' | 'getNode'>;

/** Reads the filters of a trigger. An empty filter keeps every member. Throws a Failure if a filter can keep none. */
export function readFilters(functions: ParameterFunctions) {
	return {
		roles: readListOption(functions, 'filters', roleIds, roleIn, 'role IDs like 3'),
		domains: readListOption(
			functions,
			'filters',
			emailDomains,
			domainIn,
			'domains like example.com',
		),
	};
}

/** Reads the entries of an option of a collection. Throws a Failure if one of them cannot be read. */
export function readListOption<T>(
	functions: ParameterFunctions,
	collection: string,
	{ name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
	read: (entry: string) => T | undefined,
	form: string,
): T[] {
	const options = functions.getNodeParameter(collection, {}) as IDataObject;
	const saved = functions.getNode().parameters[collection] as IDataObject | undefined;
	const entries = splitList(options[name]);
	const invalid = entries.filter((entry) => read(entry) === undefined).join(', ');
	const advice = `Enter ${form}, separated by commas.`;
	if (invalid !== '') {
		const reason = `'${displayName}' has entries that cannot be used: ${shortened(invalid)}`;
		throw new Failure(reason, advice);
	}
	// Otherwise every member, or address, would get in.
	const isEntered = [saved, saved?.[name]].some(isExpression) || trimmed(options[name]) !== '';
	if (entries.length === 0 && isEntered) {
		throw new Failure(`'${displayName}' has no value`, advice);
	}
	return entries.map((entry) => read(entry) as T);
}

/** Whether a trigger's filters keep a member. If a record lacks the role or email address to compare, they do not. */
export function matchesMember({ roles, domains }: ReturnType<typeof readFilters>) {
	return ({ role_id: role, email }: IDataObject): boolean => {
		const [, address = ''] = ADDRESS.exec(trimmed(email)) ?? [];
		const domain = `.${asciiDomain(address) ?? ''}`;
		const hasRole = roles.length === 0 || roles.includes(trimmed(role));
		return hasRole && (domains.length === 0 || domains.some((each) => domain.endsWith(`.${each}`)));
	};
}

// Among so many members, one who shows something may be the owner of the API key.
const MANY = 12;

/** Whether the API hides a field of members, judged by how many have it. Some members without it prove nothing. */
export function isFieldHidden(returned: number, members: number): boolean {
	return members > 1 && returned < (members >= MANY ? 2 : 1);
}

/** Throws a Failure if the API hides a field that a trigger needs. */
export function refuseHidden(
	members: IDataObject[],
	valueOf: (member: IDataObject) => unknown,
	what: string,
	parameter: string,
): void {
	if (!isFieldHidden(members.filter(valueOf).length, members.length)) return;
	const advice = `Use the API key of a member who can see ${what}, or change '${parameter}' so that the trigger does not need them.`;
	const reason = `The owner of the API key cannot see the ${what} of members, which this trigger needs`;
	throw new Failure(reason, advice, { declared: { cause: 'configuration-invalid' } });
}
