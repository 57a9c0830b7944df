import { useSandbox } from '../support/community.mts';
import { createTag } from '../support/operations.mts';
import { serveSelfSigned, type TestServer } from '../support/servers.mts';
import { pick, testCredential } from '../support/editor.mts';
import { credentialFor, runNode } from '../support/engine.mts';
import { itWithDomainsForOthers } from '../support/generations.mts';

const sandbox = useSandbox({ members: 60 });
const getSelf = { resource: 'user', operation: 'getSelf' };

describe.each([
	{ allowedHttpRequestDomains: 'domains', allowedDomains: 'elsewhere.example.com' },
	{ allowedHttpRequestDomains: 'none' },
])('a credential with the domains %j', (domains) => {
	it('reaches its own community from the node and the pickers', async () => {
		const read = await runNode(sandbox, getSelf, { credential: domains });
		expect(read.error).toBeUndefined();
		const created = await runNode(sandbox, createTag('Reached'), { credential: domains });
		expect(created.error).toBeUndefined();
		const credential = credentialFor(sandbox, domains);
		expect((await pick(credential, 'searchRoles')).results.length).toBeGreaterThan(0);
	});

	itWithDomainsForOthers('reaches it from a tool and in its test', async () => {
		const read = await runNode(sandbox, getSelf, { credential: domains, isTool: true });
		expect(read.error).toBeUndefined();
		expect(await testCredential(credentialFor(sandbox, domains))).toMatchObject({ status: 'OK' });
	});
});

describe('a community with a self-signed certificate', () => {
	let server: TestServer;
	beforeAll(async () => {
		server = await serveSelfSigned((request, response) => {
			response.setHeader('content-type', 'application/json');
			response.setHeader('has_more', '0');
			const self = { user_id: 101, username: 'ada' };
			response.end(JSON.stringify(request.url === '/api/v1/users/me' ? self : []));
		});
	});
	afterAll(async () => await server.close());

	it('is trusted by all features if the credential ignores SSL issues', async () => {
		const trusting = { baseUrl: server.origin, allowUnauthorizedCerts: true };
		const { items, error } = await runNode(sandbox, getSelf, { credential: trusting });
		expect(error).toBeUndefined();
		expect(items[0].json.username).toBe('ada');
		const credential = credentialFor(sandbox, trusting);
		expect(await pick(credential, 'searchRoles')).toEqual({ results: [] });
		expect(await testCredential(credential)).toMatchObject({ status: 'OK' });
	});

	it('is not trusted otherwise', async () => {
		for (const allowUnauthorizedCerts of [false, undefined, 'true']) {
			const credential = { baseUrl: server.origin, allowUnauthorizedCerts } as never;
			const { error } = await runNode(sandbox, getSelf, { credential });
			expect(error?.message).toBe("The community's security certificate is not valid");
			expect(await testCredential(credentialFor(sandbox, credential))).toMatchObject({
				status: 'Error',
			});
		}
	});
});
