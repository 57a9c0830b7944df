import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { asNewcomer, useSandbox, withoutBackoff } from '../support/community.mts';
import { ADA, addKnownRecords, STILL } from '../support/known.mts';
import { createTag, getUser, updateComment, updateRole } from '../support/operations.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
withoutBackoff();
beforeEach(() => addKnownRecords(sandbox));

const NOTHING = 'Nothing was changed.';
const CHANGED = 'The change may have been made all the same; running this again does no harm.';
const CREATED = 'The record may have been created all the same';
const once = (parameters: INodeParameters, maxRetries = 0): INodeParameters => ({
	...parameters,
	options: { maxRetries },
});

/** The end of a run that stops, as its user reads it. */
async function toldOf(fault: Fault, parameters: INodeParameters): Promise<string> {
	sandbox.faults.add(fault);
	const { error } = await runNode(sandbox, parameters);
	return error?.description ?? '';
}

const LOST: Fault[] = [
	{ kind: 'status', status: 500, applied: true },
	{ kind: 'status', status: 502 },
	{ kind: 'status', status: 503, retryAfter: 0, body: { note: 'of a cache' } },
	{ kind: 'status', status: 408 },
	{ kind: 'cut', applied: true },
	{ kind: 'html' },
];
const REFUSED: Fault[] = [400, 403, 404, 409, 418, 429].map((status) => ({
	kind: 'status',
	status,
	retryAfter: 0,
}));

describe.each<[string, INodeParameters, string]>([
	['create', createTag('New'), CREATED],
	['replace', updateComment('9200', 'x'), CHANGED],
	['role', updateRole(ADA, '5'), CHANGED],
])('the end of a %s', (_, parameters, text) => {
	it.each(LOST)('says what may have happened after %j', async (fault) => {
		const told = await toldOf(fault, once(parameters));
		expect(told).toContain(text);
		expect(told).not.toContain(NOTHING);
	});

	it.each(REFUSED)('says that nothing was changed after %j', async (fault) => {
		const told = await toldOf(fault, once(parameters));
		expect(told).toContain(NOTHING);
		expect(told).not.toContain('all the same');
	});
});

it('a refusal after a lost attempt leaves the outcome uncertain', async () => {
	sandbox.faults.add({ kind: 'status', status: 500, applied: true, times: 1 });
	const told = await toldOf({ kind: 'status', status: 403 }, once(updateComment('9200', 'x'), 1));
	expect(told).toContain(CHANGED);
	expect(told).not.toContain(NOTHING);
});

it('another item with an uncertain outcome is reported', async () => {
	sandbox.faults.add({ kind: 'cut', path: '/api/v1/comments/9200', applied: true });
	sandbox.faults.add({ kind: 'slow', path: '/api/v1/comments/999999', delayMs: 50 });
	const parameters = once(updateComment('={{ $json.id }}', 'x'));
	const items = [{ id: '999999' }, { id: '9200' }];
	const { error } = await runNode(sandbox, parameters, { items, ...asNewcomer() });
	expect(error?.description).toMatch(/ Items that may have been applied as well: 1\.$/);
});

it('a read has no uncertain outcome', async () => {
	const told = await toldOf({ kind: 'status', status: 500 }, once(getUser(ADA)));
	expect(told).not.toMatch(/all the same|Nothing/);
});
