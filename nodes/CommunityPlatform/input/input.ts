import type { IDataObject } from 'n8n-workflow';
import type { Identifier } from '../../shared/transport';

/** What the user gave for one operation on one item, in the API's types. */
export interface Input {
	/** Values by parameter name, those in collections included; parameters left empty are absent. */
	values: Record<string, unknown>;
	labels: Record<string, string>;
	body: IDataObject;
	qs: IDataObject;
	/** Labels of parameters by the field of the API that they send. */
	sendLabels: Record<string, string>;
	identifiers: Identifier[];
	/** Labels of fields to change whose expression had no result, so that they are not sent. */
	gaveNothing: string[];
	isTool: boolean;
}
