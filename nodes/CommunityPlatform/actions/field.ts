import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Failure } from '../../shared/failure';
import type { Identifier } from '../../shared/transport';
import {
	booleanValue,
	hexColor,
	line,
	objectLike,
	oneOf,
	text,
	wholeNumber,
	type Convert,
} from '../../shared/values';

export type { Convert };

/** The key of a parameter's {@link FieldRules}; a symbol, so that n8n does not see it. */
export const rules = Symbol('rules');

/** Rules that n8n's description of a parameter has no place for. */
export interface FieldRules {
	/** Converts its value to the API's type. Unset to convert it by the parameter's type. */
	convert?: Convert;
	/** The failure for a key that another parameter also sets, if both fill the same map of the API. */
	ifRepeated?(key: string, label: string): Failure;
	isIdentifier?: boolean;
	/** Whether it names members that 'If Not Found' can leave out. */
	namesMembers?: boolean;
	/** The field of a record with this ID. If the parameter is not sent, it names the record in the path. */
	idField?: string;
	/** Whether the API requires it in an update (docs/api/openapi.yaml). */
	requiredInUpdate?: boolean;
	/** What the specification says of its value, as an instruction. */
	format?: string;
	/** Whether an update refuses one that was emptied in the editor instead of ignoring it. */
	mustBeSet?: boolean;
	/** Whether every record has it, although an update need not name it. */
	isNeverEmpty?: boolean;
	/** Whether it only describes a change, so that another value does not make it another change. */
	isRemark?: boolean;
	/** Whether no answer to a read contains it, so that an update cannot keep it. */
	isNeverReturned?: boolean;
	/** Returns the value that keeps it in an update. Unset for the record's field of the same name. */
	valueToPreserve?(record: IDataObject): unknown;
	/** Whether two of its values mean the same to the API. Unset to compare them by type. */
	isSame?(a: unknown, b: unknown): boolean;
}

export interface Field extends INodeProperties {
	[rules]?: FieldRules;
}

/** The parameters of one operation for one item, in the API's types. */
export interface Input {
	/** Values by parameter name, including those in collections. Empty parameters are absent. */
	values: Record<string, unknown>;
	labels: Record<string, string>;
	body: IDataObject;
	qs: IDataObject;
	/** Labels of parameters by the field of the API that they send. */
	sendLabels: Record<string, string>;
	identifiers: Identifier[];
	/** Labels of fields that had no value, so that they are not sent. */
	withoutValue: string[];
	/** Names of members' parameters whose cell in a table is empty, if 'If Not Found' leaves out the item. */
	emptyCells: string[];
}

/** Fields, with collections replaced by their options. */
export function withOptions(fields: Field[]): Field[] {
	return fields.flatMap((each) =>
		each.type === 'collection' ? ((each.options ?? []) as Field[]) : each,
	);
}

/** A parameter, prepared once for all items. */
export interface Parameter extends FieldRules {
	field: Field;
	label: string;
	convert: Convert;
	/** Where its value is sent, if it is. */
	sentIn?: 'qs' | 'body';
	keys: string[];
	/** The name in the API, e.g. role_id for `data.role_id`. */
	sentAs: string;
	/** The parameters inside a collection; empty for every other type. */
	options: Parameter[];
}

/** Prepares the parameters of an operation. */
export function parametersOf(fields: Field[]): Parameter[] {
	// Only the editor shows notices.
	const converted = fields.filter(({ type }) => type !== 'notice');
	return converted.map((field) => {
		const { property, type } = field.routing?.send ?? {};
		// `authors[0]` becomes authors and 0.
		const keys = (property ?? '').split(/[.[\]]+/).filter((key) => key !== '');
		return {
			...field[rules],
			field,
			label: field.displayName,
			convert: converterOf(field),
			...(property !== undefined && { sentIn: type === 'query' ? 'qs' : 'body' }),
			keys,
			sentAs: keys.findLast((key) => !/^\d+$/.test(key)) ?? '',
			options: parametersOf(optionsOf(field)),
		};
	});
}

function optionsOf({ type, options = [] }: Field): Field[] {
	return type === 'collection' ? (options as Field[]) : [];
}

/** Returns the converter of a parameter: its own, or else by its type. */
function converterOf(field: Field): Convert {
	const { type, options = [], typeOptions = {} } = field;
	const ownReader = field[rules]?.convert;
	if (ownReader) return ownReader;
	// A model sends JSON text. Anything else would be mistaken for an empty collection.
	const example = optionsOf(field).map(({ name }) => `"${name}": …`);
	switch (type) {
		case 'collection':
			return objectLike(`{ ${example.join(', ')} }`);
		case 'boolean':
			return booleanValue;
		case 'number':
			return wholeNumber(typeOptions.minValue ?? 0, typeOptions.maxValue);
		case 'color':
			return hexColor;
		case 'json':
			return objectLike('{ "key": "value" }');
		case 'options':
			return oneOf(options as INodePropertyOptions[]);
		default:
			// Only prose keeps the white space at its ends.
			return typeOptions.rows ? text : line;
	}
}
