import type { IDataObject } from 'n8n-workflow';
import type { Identifier } from '../../shared/exchange/request';

/** What the user gave for one operation on one item, in the API's types. */
export interface Input {
	/** Parameters by name, those of collections included; what was left empty is absent. */
	values: Record<string, unknown>;
	/** Labels by parameter name. */
	labels: Record<string, string>;
	body: IDataObject;
	qs: IDataObject;
	/** For each field of the API that the operation can send: the label of its parameter. */
	sendLabels: Record<string, string>;
	/** The parameters that name a record. */
	identifiers: Identifier[];
	/**
	 * Where the node is used as a tool: the name of the argument by which the model gives a parameter, undefined where
	 * it is not asked for it.
	 */
	argumentFor?(name: string): string | undefined;
	/** Labels of fields to change whose expression gave nothing, so that they are not set. */
	gaveNothing: string[];
}
