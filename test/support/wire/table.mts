import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/server.mts';

/** One request as it should go over the wire: method, path with query as sent, body. */
export type Sent = [method: string, url: string, body?: IDataObject];

/** An operation's requests and output for the records of `addKnownRecords`. */
export interface WireCase {
	/** Resource and operation. */
	operation: `${string}.${string}`;
	title: string;
	/** Whether a model cannot do it. */
	isForPeople?: boolean;
	/** The number of the decision that it verifies. */
	decision?: number;
	parameters?: INodeParameters;
	/** The input item that expressions read. */
	item?: IDataObject;
	/** Changes the community first. */
	arrange?(sandbox: Sandbox): void;
	expectedRequests: Sent[];
	/** The output items, with the listed fields and possibly others. */
	expectedItems: IDataObject[];
}

/** A resource locator in the mode "From List", as the editor stores it. */
export function fromList(value: unknown) {
	return { __rl: true, mode: 'list', value, cachedResultName: 'As picked' } as never;
}
