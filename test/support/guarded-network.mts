import { createRequire } from 'node:module';

interface Packages {
	'@n8n/di': { Container: { get: <T>(type: new () => T) => T } };
	'@n8n/config': { SsrfProtectionConfig: new () => { enabled: boolean } };
}

/**
 * Makes n8n refuse requests to addresses inside its network during the surrounding tests
 * (`N8N_SSRF_PROTECTION_ENABLED`).
 */
export function useGuardedNetwork(): void {
	beforeAll(() => (protection().enabled = true));
	afterAll(() => (protection().enabled = false));
}

// n8n reads the environment once per process, and other test files share the process.
function protection(): { enabled: boolean } {
	const ofCore = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
	const load = <Name extends keyof Packages>(name: Name) => ofCore(name) as Packages[Name];
	return load('@n8n/di').Container.get(load('@n8n/config').SsrfProtectionConfig);
}
