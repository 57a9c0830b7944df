import type { INodeParameters } from 'n8n-workflow';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { serveProxy } from '../support/proxies.mts';
import { serveSelfSigned } from '../support/servers.mts';
import { credentialFor, pick } from './editor.mts';

const sandbox = useSandbox({ members: 60 });
withoutBackoff();

async function roles(requestOptions: INodeParameters, baseUrl = sandbox.baseUrl) {
	const credential = credentialFor(sandbox, { baseUrl });
	return await pick(credential, 'searchRoles', undefined, undefined, { requestOptions });
}

it('goes through the proxy of the node', async () => {
	const proxy = await serveProxy();
	try {
		const address = proxy.origin.replace('http://', 'http://ada:secret@');
		expect((await roles({ proxy: address })).results).toHaveLength(7);
		expect(proxy.requests).toHaveLength(1);
		const [{ url, headers }] = proxy.requests;
		expect(url).toBe(`${sandbox.baseUrl}/api/v1/roles?page=1&page_size=50`);
		const login = Buffer.from('ada:secret').toString('base64');
		expect(headers['proxy-authorization']).toBe(`Basic ${login}`);
	} finally {
		await proxy.close();
	}
});

it('says when the proxy of the node is not one', async () => {
	await expect(roles({ proxy: 'ada:secret@gate' })).rejects.toMatchObject({
		name: 'NodeApiError',
		message: 'The proxy is not valid',
		description: expect.not.stringContaining('secret'),
	});
	expect(asked(sandbox)).toEqual([]);
});

it('waits for an answer no longer than the node does', async () => {
	sandbox.faults.add({ kind: 'hang' });
	// Long enough for the request to arrive, however busy this machine is.
	await expect(roles({ timeout: 500 })).rejects.toThrow('The API did not answer in time');
	expect(asked(sandbox)).toHaveLength(3);
});

it('takes any certificate if the node does', async () => {
	const server = await serveSelfSigned((_, response) => {
		response.setHeader('has_more', '0');
		response.setHeader('content-type', 'application/json');
		response.end('[{"role_id":1,"role_name":"Admin"}]');
	});
	try {
		await expect(roles({}, server.origin)).rejects.toMatchObject({
			message: "The certificate of the community's address is not valid",
		});
		expect(await roles({ allowUnauthorizedCerts: true }, server.origin)).toEqual({
			results: [{ name: 'Admin', value: '1' }],
		});
	} finally {
		await server.close();
	}
});
