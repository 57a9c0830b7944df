import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	NodePropertyTypes,
} from 'n8n-workflow';

const TYPES: Partial<Record<NodePropertyTypes, string>> = {
	string: 'text',
	number: 'number',
	boolean: 'on or off',
	options: 'choice',
	multiOptions: 'choices',
	color: 'color',
	json: 'JSON',
	fixedCollection: 'rows',
};

/** Where a parameter stands: the labels and the names of what holds it, each ending in a separator. */
interface Place {
	labels: string;
	names: string;
}

/**
 * A table of parameters, as a user sees them and as a workflow stores them.
 *
 * @param fields n8n's descriptions; what a collection holds gets rows of its own
 * @returns Markdown
 * @throws Error at a type of parameter that it has no word for
 */
export function parameterTable(fields: INodeProperties[]): string {
	return [
		'| parameter | name | type | required | default | what it is |',
		'|---|---|---|---|---|---|',
		...fields.flatMap((field) => rowsOf(field, fields, { labels: '', names: '' })),
	].join('\n');
}

function rowsOf(field: INodeProperties, among: INodeProperties[], place: Place): string[] {
	const { type, displayName, name } = field;
	if (type === 'notice') return [];
	const labels = `${place.labels}${displayName} → `;
	if (type === 'collection') {
		const options = field.options as INodeProperties[];
		return options.flatMap((each) => rowsOf(each, options, { labels, names: `${name}.` }));
	}
	const cells = [
		`${place.labels}${displayName}`,
		`\`${place.names}${name}\``,
		typeOf(field),
		field.required ? 'yes' : '',
		defaultOf(field),
		[...sentencesOf(field), ...conditionOf(field, among)].join(' '),
	];
	const row = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	if (type !== 'fixedCollection') return [row];
	const groups = field.options as INodePropertyCollection[];
	return [
		row,
		...groups.flatMap(({ name: group, values }) =>
			values.flatMap((each) => rowsOf(each, values, { labels, names: `${name}.${group}[].` })),
		),
	];
}

function typeOf({ type, modes = [], displayName }: INodeProperties): string {
	if (type === 'resourceLocator') return modes.map((mode) => mode.displayName).join(', ');
	const word = TYPES[type];
	if (word === undefined) throw new Error(`"${displayName}" has the unknown type ${type}`);
	return word;
}

function defaultOf({ type, default: value, options }: INodeProperties): string {
	if (type === 'boolean') return value === true ? 'on' : 'off';
	if (type === 'options') return named(options as INodePropertyOptions[], value);
	if (type === 'resourceLocator') {
		const { cachedResultName = '' } = value as { cachedResultName?: string };
		return cachedResultName;
	}
	if (type === 'fixedCollection' || type === 'multiOptions' || value === '') return '';
	return `\`${String(value)}\``;
}

function sentencesOf(field: INodeProperties): string[] {
	const { type, description, hint, placeholder, typeOptions = {}, options, modes = [] } = field;
	const { minValue, maxValue } = typeOptions;
	const offered = (options ?? []) as INodePropertyOptions[];
	const examples = [
		...(type === 'fixedCollection' ? [] : [placeholder]),
		...modes.filter((mode) => mode.type !== 'list').map((mode) => mode.placeholder),
	].flatMap((each) => (each?.startsWith('e.g. ') ? [`\`${each.slice('e.g. '.length)}\``] : []));
	return [
		...(description ? [sentence(description)] : []),
		...(hint ? [sentence(hint)] : []),
		...(type === 'options'
			? [
					`One of: ${offered.map(({ name, value }) => `${name} (\`${String(value)}\`)`).join(', ')}.`,
				]
			: []),
		...(minValue === undefined ? [] : [`At least ${minValue}.`]),
		...(maxValue === undefined ? [] : [`At most ${maxValue}.`]),
		...(examples.length === 0 ? [] : [`E.g. ${examples.join(' or ')}.`]),
	];
}

// What stands beside resource and operation: another parameter of the same list.
function conditionOf(field: INodeProperties, among: INodeProperties[]): string[] {
	const conditions = Object.entries(field.displayOptions?.show ?? {}).flatMap(([name, values]) => {
		const other = among.find((each) => each.name === name);
		if (other === undefined) return [];
		const [value] = values as unknown[];
		const options = other.options as INodePropertyOptions[] | undefined;
		const label = options?.find((each) => each.value === value)?.name;
		return `${other.displayName} is ${label ?? (value === true ? 'on' : 'off')}`;
	});
	return conditions.map((condition) => `Only where ${condition}.`);
}

function named(options: INodePropertyOptions[], value: unknown): string {
	return options.find((option) => option.value === value)?.name ?? `\`${String(value)}\``;
}

function sentence(text: string): string {
	const escaped = text.replaceAll('<', '\\<');
	return /[.!?]$/.test(escaped) ? escaped : `${escaped}.`;
}
