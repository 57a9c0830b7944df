import { parse } from 'yaml';
import pinned from '../../dev/n8n/package.json';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { text } from '../support/shipped.mts';

interface Service {
	build?: { dockerfile_inline: string };
	environment: Record<string, string>;
}

describe('examples/queue-mode/compose.yaml', () => {
	const file = text('examples/queue-mode/compose.yaml');
	const { services } = parse(file, { merge: true }) as { services: Record<string, Service> };
	const { main, webhook, worker } = services;

	it('runs the pinned n8n with the package in each role', () => {
		for (const { build, environment } of [main, webhook, worker]) {
			expect(build?.dockerfile_inline).toContain(`n8n:${pinned.dependencies.n8n}\n`);
			expect(build?.dockerfile_inline).toContain(PACKAGE_NAME);
			expect(environment).toMatchObject({ EXECUTIONS_MODE: 'queue', DB_TYPE: 'postgresdb' });
		}
	});
});
