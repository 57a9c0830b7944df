import { useSandbox } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import type { HostOptions } from './trigger-host.mts';
import { TriggerHost } from './trigger-host.mts';

const sandbox = useSandbox({ members: 30 });

describe('activation', () => {
	const activate = async (options: HostOptions, url?: string) =>
		await new TriggerHost(sandbox, options).activate(url);

	it('goes through with a secret, or without verification', async () => {
		expect(await activate({})).toBe(true);
		const parameters = { verification: 'none' };
		expect(await activate({ parameters, credential: { webhookSecret: '' } })).toBe(true);
		expect(await activate({ parameters, isWithoutCredential: true })).toBe(true);
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

	it('warns about an address that a community cannot reach, and not about others', async () => {
		const warnings = () => logged.filter((line) => line.includes('cannot reach')).length;
		const before = warnings();
		await activate({}, 'https://n8n.example.com');
		expect(warnings()).toBe(before);
		await activate({}, 'http://localhost:5678');
		expect(warnings()).toBe(before + 1);
	});
});
