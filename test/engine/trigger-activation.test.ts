import { useSandbox } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import type { HostOptions } from './trigger-host.mts';
import { TriggerHost } from './trigger-host.mts';

const sandbox = useSandbox({ members: 30 });
const credential = { webhookSecret: 'sixteen letters!' };

describe('activation', () => {
	beforeEach(() => (logged.length = 0));

	const activate = async (options: HostOptions, url?: string) =>
		await new TriggerHost(sandbox, options).activate(url);

	it('goes through with a secret, or without verification', async () => {
		expect(await activate({ credential })).toBe(true);
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
		[{ parameters: { confirmWithApi: true }, credential: { baseUrl: '' } }, /base URL is empty/],
		[{ parameters: { options: { ipAllowlist: '10.0.0.1, 10.0' } } }, /not IP addresses.*: 10\.0\./],
	])('refuses %j', async (options, message) => {
		await expect(activate(options)).rejects.toThrow(message);
	});

	it('warns of a secret that can be guessed, without naming it', async () => {
		expect(await activate({ credential: { webhookSecret: ' fifteen letters ' } })).toBe(true);
		expect(logged).toEqual([expect.stringContaining('fewer than 16 characters')]);
		expect(logged.join()).not.toContain('fifteen');
		const parameters = { verification: 'none' };
		await activate({ parameters, credential: { webhookSecret: 'short' } });
		expect(logged).toHaveLength(1);
	});

	it.each([
		...['http://localhost:5678', 'http://127.0.0.1:5678', 'http://[::1]:5678', 'http://n8n:5678'],
		...['https://192.168.0.5', 'https://172.31.0.1', 'http://n8n.local', 'http://[fd00::1]'],
	])('warns of an address that a community cannot reach: %s', async (url) => {
		await activate({ credential }, url);
		expect(logged).toEqual([expect.stringContaining(`cannot reach ${url}. Make`)]);
	});

	it.each(['https://n8n.example.com', 'https://203.0.113.7', 'https://[2001:db8::1]', 'nonsense'])(
		'does not warn of %s',
		async (url) => {
			await activate({ credential }, url);
			expect(logged).toEqual([]);
		},
	);
});
