import { useSandbox } from '../support/community.mts';
import { pick } from '../support/editor.mts';
import { credentialFor, runNode } from '../support/engine.mts';
import { describeGuard } from '../support/generations.mts';
import { useGuardedNetwork } from '../support/guarded-network.mts';

const sandbox = useSandbox({ members: 3 });
const getMany = { resource: 'user', operation: 'getAll' };
const REFUSED = "Your n8n does not allow requests to the community's address";

describeGuard('where n8n guards its network, an address inside of it is not reached', () => {
	useGuardedNetwork();

	it.each(['the community itself', 'http://169.254.169.254', 'http://[::1]:9', 'http://10.0.0.1'])(
		'by the node: %s',
		async (address) => {
			const baseUrl = address.startsWith('http') ? address : sandbox.baseUrl;
			const { error } = await runNode(sandbox, getMany, { credential: { baseUrl } });
			expect(error?.message).toBe(REFUSED);
			expect(error?.description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
			expect(sandbox.requests.all).toEqual([]);
		},
	);

	it('by a list to choose from', async () => {
		await expect(pick(credentialFor(sandbox), 'searchUsers')).rejects.toThrow(REFUSED);
		expect(sandbox.requests.all).toEqual([]);
	});
});
