import { NodeApiError, type INodeProperties } from 'n8n-workflow';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { everyField } from '../support/description.mts';
import { loadRoles } from '../support/editor.mts';
import { credentialFor } from '../support/engine.mts';

const sandbox = useSandbox({ members: 30 });
withoutBackoff();

const triggers = [new CommunityPlatformTrigger(), new CommunityPlatformPollingTrigger()];
const load = async (trigger = triggers[0]) => await loadRoles(credentialFor(sandbox), trigger);

it.each(triggers)("a trigger's filter offers roles by name, and saves IDs: %#", async (trigger) => {
	const isFilter = ({ name }: INodeProperties) => name === 'roleIds';
	const { typeOptions } = everyField(trigger.description.properties).find(isFilter) ?? {};
	expect(Object.keys(trigger.methods.loadOptions)).toEqual([typeOptions?.loadOptionsMethod]);
	const roles = [...sandbox.community.roles.values()];
	expect(await load(trigger)).toEqual(
		roles.map(({ role_id, role_name }) => ({ name: role_name, value: String(role_id) })),
	);
	expect(asked(sandbox)).toEqual(['GET /api/v1/roles?page=1&page_size=50']);
});

it('a role without a name is offered by ID', async () => {
	const text = JSON.stringify([{ role_id: 3, role_name: ' Champion ' }, { role_id: 14 }]);
	sandbox.faults.add({ kind: 'text', path: '/api/v1/roles', text, times: 1 });
	expect(await load()).toEqual([
		{ name: 'Champion', value: '3' },
		{ name: '14', value: '14' },
	]);
});

it('a refusal is a NodeApiError with advice', async () => {
	sandbox.faults.add({ kind: 'status', status: 403 });
	const failure: unknown = await load().catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(NodeApiError);
	expect(failure).toMatchObject({
		httpCode: '403',
		description: expect.stringMatching(/\w{3}/) as string,
	});
});

it('a long pause that the community asks for is not awaited', async () => {
	// Only the request makes time pass, so a slow machine cannot use up the time before it.
	let now = performance.now();
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 30 });
	sandbox.faults.add({ kind: 'call', run: () => void (now += 8000) });
	// A new caller, because pauses are remembered for each. The clock must not end the request itself.
	const credential = credentialFor(sandbox, { sourceSystem: 'paused' });
	const parameters = { requestOptions: { timeout: 60_000 } };
	const loaded = loadRoles(credential, triggers[0], parameters).finally(() => clock.mockRestore());
	await expect(loaded).rejects.toMatchObject({
		name: 'NodeApiError',
		message: 'The community did not answer in time',
		description: expect.stringContaining('switch the field to an expression') as string,
	});
	expect(asked(sandbox)).toHaveLength(1);
});
