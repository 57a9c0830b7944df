import type { IDataObject } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/server.mts';
import { runNode } from '../../test/engine/engine.mts';
import { wireCases } from '../../test/engine/wire/cases.mts';
import { addKnownRecords, STILL } from '../../test/support/known.mts';

/**
 * What each operation gives in the local community, run through n8n's engine as the tests run it: the first
 * item of the first of their cases that gives any.
 *
 * @returns items by `<resource>.<operation>`
 */
export async function exampleItems(): Promise<Map<string, IDataObject>> {
	const items = new Map<string, IDataObject>();
	const sandbox = await startSandbox(STILL);
	try {
		for (const { operation, parameters, item, given } of wireCases) {
			if (items.has(operation)) continue;
			sandbox.reset();
			addKnownRecords(sandbox);
			given?.(sandbox);
			const [resource, name] = operation.split('.');
			const input = { resource, operation: name, ...parameters };
			const { items: outcome } = await runNode(sandbox, input, { items: [item ?? {}] });
			if (outcome.length > 0) items.set(operation, outcome[0].json);
		}
	} finally {
		await sandbox.close();
	}
	return items;
}
