import type { INodeParameters } from 'n8n-workflow';
import { asked, byId, range } from '../support/community.mts';
import { ADA, GRACE, useKnownRecords } from '../support/known-records.mts';
import { action } from '../support/operations.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useKnownRecords();

const options = { includeRoleName: true };
const ROLES = 'GET /api/v1/roles?page=1&page_size=50';
const nameOf = (id: unknown) => sandbox.community.roles.get(Number(id))?.role_name;

const operations: INodeParameters[] = [
	{ operation: 'get', userId: byId(ADA) },
	{ operation: 'getAll', limit: 3 },
	{ operation: 'getSelf' },
	{ operation: 'create', firstName: 'New', email: 'new@members.example' },
	{
		operation: 'update',
		userId: byId(ADA),
		hiddenFields: 'clear',
		updateFields: { username: 'ada_k' },
	},
	{ operation: 'updateRole', userId: byId(ADA), roleId: byId('5') },
];

it.each(operations)('$operation returns the name next to the ID', async (operation) => {
	for (const simplify of [true, false]) {
		const { items, error } = await runNode(sandbox, {
			resource: 'user',
			simplify,
			options,
			...operation,
			...(operation.operation === 'create' ? { email: `${simplify}@members.example` } : {}),
		});
		expect(error).toBeUndefined();
		for (const { json } of items) {
			const fields = Object.keys(json);
			expect(fields[fields.indexOf('role_id') + 1]).toBe('role_name');
			expect(json.role_name).toBe(nameOf(json.role_id));
			expect(json.role_name).toBeDefined();
		}
	}
});

it('names the roles of members by ID if a much later item names a role', async () => {
	const [[, { role_name: name }]] = [...sandbox.community.roles].slice(-1);
	// The first items are looked up before the last one.
	const items = [...range(1, 260).map(() => 5), name].map((role, at) => ({
		member: at % 2 ? ADA : GRACE,
		role,
	}));
	const update = action('user.updateRole', {
		userId: byId('={{ $json.member }}'),
		roleId: byId('={{ $json.role }}'),
	});
	const { items: done } = await runNode(sandbox, update, { items });
	const names = items.map(({ role }) => (role === 5 ? nameOf(5) : name));
	expect(done.map(({ json }) => json.role_name)).toEqual(names);
});

it('lists the roles once per execution, and only if requested', async () => {
	const get = action('user.get', { userId: byId('={{ $json.id }}') });
	const items = [ADA, GRACE, ADA].map((id) => ({ id }));
	await runNode(sandbox, { ...get, options }, { items });
	expect(asked(sandbox).filter((line) => line === ROLES)).toHaveLength(1);
	sandbox.requests.clear();
	const { items: plain } = await runNode(sandbox, get, { items });
	expect(asked(sandbox)).not.toContain(ROLES);
	expect(plain[0].json).not.toHaveProperty('role_name');
});

it.each([options, {}])('comes with a role that is set by name: %j', async (entered) => {
	const roleId = { __rl: true, mode: 'name', value: 'champion' };
	const parameters = action('user.updateRole', { userId: byId(ADA), roleId, options: entered });
	const { items } = await runNode(sandbox, parameters);
	expect(items[0].json).toMatchObject({ msid: ADA, role_name: 'Champion', success: true });
	expect(asked(sandbox)).toEqual([ROLES, `PATCH /api/v1/users/${ADA}`]);
});

it('changes nothing if the roles cannot be listed', async () => {
	sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/roles' });
	const { error } = await runNode(
		sandbox,
		action('user.updateRole', { userId: byId(ADA), roleId: byId('5'), options }),
	);
	expect(error?.httpCode).toBe('403');
	expect(asked(sandbox)).toEqual([ROLES]);
});

it('is null for a role that is not in the list', async () => {
	sandbox.community.roles.delete(10);
	const { items } = await runNode(sandbox, action('user.get', { userId: byId(ADA), options }));
	expect(items[0].json).toMatchObject({ role_id: 10, role_name: null });
});
