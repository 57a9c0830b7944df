import fc from 'fast-check';
import { userAgent } from '../../nodes/shared/transport/client.ts';
import { asked, useSandbox } from '../support/community.mts';
import { pick, testCredential } from '../support/editor.mts';
import { credentialFor, runNode } from '../support/engine.mts';
import { createTag } from '../support/operations.mts';
import { serve } from '../support/servers.mts';

const sandbox = useSandbox();

describe('an address that ends like a page', () => {
	const OK = { status: 'OK' };
	const tag = createTag('={{ $json.name }}');

	it('is kept if the API answers there', async () => {
		const community = await serve(({ url }, response) => {
			response.setHeader('content-type', 'application/json');
			if (!url?.startsWith('/members/api/v1/')) response.statusCode = 404;
			response.end(JSON.stringify({ user_id: 101, tag_id: 1 }));
		});
		const baseUrl = `${community.origin}/members`;
		expect(await testCredential(credentialFor(sandbox, { baseUrl }))).toMatchObject(OK);
		const { error } = await runNode(sandbox, tag, {
			items: [{ name: 'a' }],
			credential: { baseUrl },
		});
		await community.close();
		expect(error).toBeUndefined();
		expect(community.requests.at(-1)).toMatchObject({
			method: 'POST',
			url: '/members/api/v1/tags',
		});
	});

	it('is otherwise a page of the community, which one request finds out', async () => {
		const credential = credentialFor(sandbox, { baseUrl: `${sandbox.baseUrl}/members` });
		expect(await testCredential(credential)).toMatchObject(OK);
		expect((await pick(credential, 'searchRoles')).results).not.toEqual([]);
		sandbox.requests.all.length = 0;
		const { items } = await runNode(sandbox, tag, {
			items: [{ name: 'a' }, { name: 'b' }],
			credential,
		});
		expect(items).toHaveLength(2);
		expect(asked(sandbox).filter((each) => each.startsWith('GET'))).toHaveLength(1);
	});
});

it('has a User-Agent that is a valid header for any source system', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), (sourceSystem) => {
			expect(userAgent(sourceSystem)).toMatch(
				/^n8n-nodes-community-platform\/\d+\.\d+\.\d+\S* \([\x20-\x7e]*\)$/,
			);
		}),
	);
});
