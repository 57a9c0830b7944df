import { createRequire } from 'node:module';

interface Packages {
	'@n8n/di': { Container: { get: <T>(type: new () => T) => T } };
	'@n8n/config': { SsrfProtectionConfig: new () => { enabled: boolean } };
}

/** Has n8n refuse requests to addresses inside its network while the tests around it run (`N8N_SSRF_PROTECTION_ENABLED`). */
export function useGuardedNetwork(): void {
	beforeAll(() => (protection().enabled = true));
	afterAll(() => (protection().enabled = false));
}

// n8n reads the environment once in a process, which other test files share.
function protection(): { enabled: boolean } {
	const ofCore = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
	const load = <Name extends keyof Packages>(name: Name) => ofCore(name) as Packages[Name];
	return load('@n8n/di').Container.get(load('@n8n/config').SsrfProtectionConfig);
}
