import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { everythingIn } from '../support/everything.mts';
import { logged } from '../support/logs.mts';
import { byId, useSandbox, withoutBackoff } from '../support/community.mts';
import { pick, testCredential } from '../support/editor.mts';
import { credentialFor, runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const KEY = 'a-key-to-be-hidden';
const HOOK = 'what-no-stranger-may-know';
const sandbox = useSandbox({ members: 60, apiKey: KEY });
withoutBackoff();
beforeEach(() => {
	logged.length = 0;
});

const HEADER = Buffer.from(`sandbox:${KEY}`).toString('base64');
const SECRETS = [KEY, HOOK, HEADER, `sandbox:${KEY}`];

/** Finds secrets in texts, nested objects, and errors with all their properties. */
function secretsIn(...values: unknown[]): string[] {
	const text = everythingIn(values);
	return SECRETS.filter((secret) => text.includes(secret));
}

const get: INodeParameters = action('user.get', { userId: byId('101') });
const create: INodeParameters = action('tag.create', { name: 'New' });

const faults: Array<[string, Fault | undefined]> = [
	['nothing', undefined],
	['a refusal', { kind: 'status', status: 403, message: 'no' }],
	['a busy server', { kind: 'status', status: 503, retryAfter: 0 }],
	['a web page', { kind: 'html' }],
	['half a body', { kind: 'text', text: '{"user_id":' }],
	['a cut connection', { kind: 'cut' }],
	['a time-out', { kind: 'hang' }],
];
const operations = Object.entries({ get, create });
const cases = faults.flatMap(([name, fault]) =>
	operations.map(([operation, parameters]) => ({ name, operation, fault, parameters })),
);

describe.each(['stopWorkflow', 'continueErrorOutput'] as const)('with %s', (onError) => {
	it.each(cases)(
		'no secret is revealed after $name on $operation',
		async ({ fault, parameters }) => {
			if (fault) sandbox.faults.add(fault);
			const { run, error, items, failed } = await runNode(
				sandbox,
				{ ...parameters, options: { maxRetries: 1 } },
				{ onError, requestOptions: { timeout: 300 }, credential: { webhookSecret: HOOK } },
			);
			// The key was used, and the outcome could have revealed it.
			expect(sandbox.requests.all[0].headers.authorization).toBe(`Basic ${HEADER}`);
			expect(error !== undefined || items.length + failed.length > 0).toBe(true);
			expect(secretsIn(run, error, items, failed)).toEqual([]);
			expect(logged.length).toBeGreaterThan(0);
			expect(secretsIn(logged)).toEqual([]);
		},
	);
});

it.each(faults.filter(([, fault]) => fault && fault.kind !== 'hang'))(
	'no secret is revealed by a picker or by the credential test after %s',
	async (_, fault) => {
		sandbox.faults.add(fault as Fault);
		const credential = credentialFor(sandbox, { webhookSecret: HOOK });
		const failure: unknown = await pick(credential, 'searchUsers').catch((error: unknown) => error);
		expect(failure).toHaveProperty('description');
		const verdict = await testCredential(credential);
		expect(verdict.status).toBe('Error');
		expect(secretsIn(failure, verdict, logged)).toEqual([]);
	},
);
