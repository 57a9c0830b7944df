import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Failure, quoted, toNodeError } from '../../shared/failure';
import { resources } from '../actions';
import { prepareOperation, type PreparedOperation } from './prepared';
import { Run } from './run';

// What n8n adds to the lists of resources and operations (n8n-workflow, `CUSTOM_API_CALL_KEY`).
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** The operations that were used, by resource and operation, because preparing one takes time. */
const prepared = new Map<string, PreparedOperation>();

/** Carries out the operation of the node for all items. n8n calls it once for a run, on each of its roads. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return [await new Run(operationOf(this), this).execute()];
}

function operationOf(functions: IExecuteFunctions): PreparedOperation {
	const [resource, value] = ['resource', 'operation'].map((name) =>
		String(functions.getNodeParameter(name, 0, '')),
	);
	const key = `${resource}.${value}`;
	if (!prepared.has(key)) {
		const known = resources.find((each) => each.value === resource)?.operations;
		const operation = known?.find((each) => each.value === value);
		if (!operation) throw toNodeError(unknownOperation(resource, value), functions.getNode());
		prepared.set(key, prepareOperation(operation));
	}
	return prepared.get(key) as PreparedOperation;
}

function unknownOperation(resource: string, operation: string): Failure {
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		return new Failure(
			'This node cannot send a custom API call',
			"Choose another 'Operation', or add an HTTP Request node. In its 'Authentication', choose 'Predefined Credential Type' and 'Community Platform API'.",
		);
	}
	// n8n does not pass on the operation of an unknown resource.
	const what = operation === '' ? '' : ` with the operation ${quoted(operation)}`;
	return new Failure(
		`This node has no resource ${quoted(resource)}${what}`,
		"Choose a 'Resource' and an 'Operation' from the lists in the node.",
	);
}
