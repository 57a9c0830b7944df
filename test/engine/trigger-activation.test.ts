import { useSandbox } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { TriggerHost, type HostOptions } from '../support/trigger-host.mts';

const sandbox = useSandbox({ members: 30 });
const credential = { webhookSecret: 'sixteen letters!' };

describe('activation', () => {
	beforeEach(() => (logged.length = 0));

	const activate = async (options: HostOptions) =>
		await new TriggerHost(sandbox, options).activate();

	it('succeeds with a secret, or without verification', async () => {
		expect(await activate({ credential })).toBe(true);
		const options = { ignoreDuplicates: false };
		expect(await activate({ credential, engineType: 'v2', parameters: { options } })).toBe(true);
		const parameters = { verification: 'none' };
		expect(await activate({ parameters, credential: { webhookSecret: '' } })).toBe(true);
		expect(await activate({ parameters, isWithoutCredential: true })).toBe(true);
		expect(logged).toEqual([]);
	});

	it.each<[HostOptions, RegExp]>([
		[{ credential: { webhookSecret: ' ' } }, /no webhook secret.*Open the credential/],
		[{ isWithoutCredential: true }, /needs a credential/],
		[
			{ parameters: { verification: 'none', confirmWithApi: true }, isWithoutCredential: true },
			/needs a credential/,
		],
		[{ parameters: { confirmWithApi: true }, credential: { baseUrl: '' } }, /'Base URL' is empty/],
		[
			{ parameters: { options: { ipAllowlist: '10.0.0.1, 10.0' } } },
			/entries that cannot be used: 10\.0\. Enter/,
		],
		[{ parameters: { filters: { roleIds: 'Champion, 3' } } }, /cannot be used: Champion\. Enter/],
		[
			{
				parameters: {
					filters: { emailDomains: '*, @, a.com, https://www.acme.com a..b 1.2 ada@a.b' },
				},
			},
			/cannot be used: \*, @, https:\/\/www.acme.com, a\.\.b, 1\.2, ada@a\.b\. Enter/,
		],
		[{ credential, parameters: { events: [] } }, /'Events' is empty. Choose at least one/],
		[{ credential, parameters: { events: 'member.left' } }, /not an option of 'Events'/],
		[
			{ credential, parameters: { confirmWithApi: 'maybe' } },
			/neither true nor false. Enter true or false in 'Confirm with API'/,
		],
		// n8n's Engine 2.0 does not call `execute`, which these settings need.
		[
			{ credential, engineType: 'v2' },
			/Engine 2\.0, 'Confirm with API' and 'Ignore Duplicates' do/,
		],
		[
			{
				credential,
				engineType: 'v2',
				parameters: { confirmWithApi: true, options: { ignoreDuplicates: false } },
			},
			/Switch off 'Confirm with API', add 'Ignore Duplicates' under 'Options', and switch it off/,
		],
	])('refuses %j', async (options, message) => {
		await expect(activate(options)).rejects.toThrow(message);
	});

	it('warns of a guessable secret without revealing it', async () => {
		expect(await activate({ credential: { webhookSecret: ' fifteen letters ' } })).toBe(true);
		expect(logged).toEqual([expect.stringContaining('fewer than 16 characters')]);
		expect(logged.join()).not.toContain('fifteen');
		const parameters = { verification: 'none' };
		await activate({ parameters, credential: { webhookSecret: 'short' } });
		expect(logged).toHaveLength(1);
	});
});
