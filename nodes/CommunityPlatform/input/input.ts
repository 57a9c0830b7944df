import type { IDataObject } from 'n8n-workflow';
import type { Identifier } from '../../shared/transport/request';

/** What the user gave for one operation on one item, in the API's types. */
export interface Input {
	/** Values by parameter name, those in collections included; parameters left empty are absent. */
	values: Record<string, unknown>;
	/** Labels by parameter name. */
	labels: Record<string, string>;
	body: IDataObject;
	qs: IDataObject;
	/** Labels of parameters by the field of the API that they send. */
	sendLabels: Record<string, string>;
	/** The parameters that identify a record. */
	identifiers: Identifier[];
	/**
	 * Set if the node is used as a tool: the name of the argument by which the model gives a parameter, or undefined if
	 * the model is not asked for it.
	 */
	argumentFor?(name: string): string | undefined;
	/** Labels of fields to change whose expression had no result, so that they are not sent. */
	gaveNothing: string[];
}
