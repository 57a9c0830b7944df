import { ENGINES, NEWEST } from '../../dev/scripts/engines.mts';
import { userAgent } from '../../nodes/shared/transport/client.ts';
import { readme } from '../support/examples.mts';
import { text } from '../support/shipped.mts';
import manifest from '../../package.json';
import pinned from '../../dev/n8n/package.json';

it('the README names the oldest n8n that is tested', () => {
	const [{ n8n }] = ENGINES;
	const [major, minor] = n8n.split('.');
	expect(readme()).toContain(`Requires n8n ${major}.${minor} or later`);
});

it('the newest n8n that is tested is the one that the project installs', () => {
	expect(NEWEST.core).toBe(manifest.devDependencies['n8n-core']);
	expect(NEWEST.workflow).toBe(manifest.devDependencies['n8n-workflow']);
	expect(NEWEST.n8n).toBe(pinned.dependencies.n8n);
});

it('docs/administration.md names every n8n that is tested', () => {
	const untold = ENGINES.filter(({ n8n }) => !text('docs/administration.md').includes(n8n));
	expect(untold).toEqual([]);
});

it('the package, its lockfile, its User-Agent and the compose file have the same version', () => {
	const { version } = manifest;
	const lockfile = JSON.parse(text('package-lock.json')) as typeof manifest & {
		packages: Record<string, { version: string }>;
	};
	expect([lockfile.version, lockfile.packages[''].version]).toEqual([version, version]);
	expect(userAgent('n8n')).toContain(`/${version} `);
	expect(text('examples/queue-mode/compose.yaml')).toContain(`${manifest.name}@${version}`);
});
