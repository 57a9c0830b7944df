import type { INodeParameters } from 'n8n-workflow';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { serveProxy } from '../support/proxies.mts';
import { pick } from '../support/editor.mts';
import { credentialFor } from '../support/engine.mts';

const sandbox = useSandbox({ members: 60 });
withoutBackoff();

async function roles(requestOptions: INodeParameters, baseUrl = sandbox.baseUrl) {
	const credential = credentialFor(sandbox, { baseUrl });
	return await pick(credential, 'searchRoles', undefined, undefined, { requestOptions });
}

it("uses the node's proxy", async () => {
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

it("has the node's time limit", async () => {
	sandbox.faults.add({ kind: 'hang' });
	// Long enough for the request to arrive, even on a busy machine.
	await expect(roles({ timeout: 500 })).rejects.toMatchObject({
		message: 'The community did not answer in time',
		description: expect.stringContaining("'Timeout'"),
	});
	expect(asked(sandbox)).toHaveLength(2);
});
