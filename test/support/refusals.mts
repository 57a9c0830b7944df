import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.mts';
import { runNode } from './engine.mts';
import { asked, byId } from './community.mts';
import { toldAtStop } from './operations.mts';

/** A placeholder for the tested value, which comes from the input item. */
export const VALUE = '={{ $json.value }}';

/** The same in a resource locator. */
export const VALUE_AS_ID = byId(VALUE);

/** A parameter with invalid values, and the failure of each of them. */
export interface Rule {
	what: string;
	parameters: INodeParameters;
	bad: unknown[];
	error: string | ((value: unknown) => string);
	message: string;
}

/** The reason for a parameter that cannot be used. */
export function refused(label: string, reason: string): string {
	return `The parameter '${label}' ${reason}`;
}

/** The same with the value in the text. */
export function notUsable(reason: string): (value: unknown) => string {
	return (value) =>
		`${typeof value === 'object' ? 'The object you entered' : `'${String(value)}'`} ${reason}`;
}

/**
 * Sets each value in the parameter, once with Continue and once with Stop. Expects that each is refused with this text
 * and that nothing is sent.
 */
export async function expectRefused(sandbox: Sandbox, rule: Rule): Promise<void> {
	const { parameters, bad, error, message } = rule;
	const told = (value: unknown) => (typeof error === 'string' ? error : error(value));
	const items = bad.map((value) => ({ value }) as never);
	const onError = 'continueRegularOutput';
	const { items: output } = await runNode(sandbox, parameters, { items, onError });
	expect(output).toEqual(
		bad.map((value, item) => ({ json: { error: told(value), message }, pairedItem: { item } })),
	);
	const { error: stopped } = await runNode(sandbox, parameters, { items: items.slice(0, 1) });
	expect(stopped?.message).toBe(told(bad[0]));
	expect(stopped?.description).toBe(toldAtStop(parameters, message));
	expect(asked(sandbox)).toEqual([]);
}
