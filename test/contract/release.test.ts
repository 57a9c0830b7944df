import { version } from '../../package.json';
import { userAgent } from '../../nodes/shared/transport/api.ts';
import { changesOf, released, wrongHeadings } from '../../dev/scripts/changelog.mts';
import { files, text } from '../support/shipped.mts';

describe('The version', () => {
	it('stands in package.json, and the lockfile and the User-Agent follow', () => {
		const { version: locked, packages } = JSON.parse(text('package-lock.json')) as {
			version: string;
			packages: Record<string, { version: string }>;
		};
		expect([locked, packages[''].version]).toEqual([version, version]);
		expect(userAgent('n8n')).toContain(`/${version} `);
	});

	it('stands in the compose file, which installs no other', () => {
		const installed = /n8n-nodes-community-platform(@\S*)?$/m.exec(
			text('examples/queue-mode/compose.yaml'),
		);
		expect(installed?.[1]).toBe(`@${version}`);
	});

	it('stands nowhere else in what is shipped', () => {
		expect(files.filter((file) => text(file).includes(version))).toEqual([]);
	});
});

describe('The changelog', () => {
	const changelog = text('CHANGELOG.md');

	it('has the headings of Keep a Changelog, each once in a version', () => {
		expect(wrongHeadings(changelog)).toEqual([]);
		expect(wrongHeadings('# Changelog\n\n## 1\n\n### Fixed\n\n### Better\n\n### Fixed\n')).toEqual([
			'"1" is no heading of a version',
			'"Better" in 1',
			'"Fixed" in 1',
		]);
	});

	it('has what is not released yet on top', () => {
		expect(/^## (.*)$/m.exec(changelog)?.[1]).toBe('Unreleased');
	});
});

describe('A release', () => {
	const before =
		'# Changelog\n\n## Unreleased\n\n### Fixed\n\n- A\n\n## 1.0.0 - 2026-01-02\n\n- B\n';

	it('takes what is unreleased, and leaves an empty place for what comes', () => {
		const after = released(before, '1.1.0', '2026-02-03');
		expect(changesOf(after, 'Unreleased')?.trim()).toBe('');
		expect(changesOf(after, '1.1.0')).toContain('### Fixed\n\n- A');
		expect(changesOf(after, '1.0.0')).toContain('- B');
		expect(wrongHeadings(after)).toEqual([]);
	});

	it('is refused where nothing is unreleased, and for a version that is there', () => {
		const after = released(before, '1.1.0', '2026-02-03');
		expect(() => released(after, '1.2.0', '2026-02-04')).toThrow('nothing under');
		expect(() => released(before, '1.0.0', '2026-02-03')).toThrow('already');
	});

	it('knows a version by its whole number', () => {
		expect(changesOf(before, '1.0')).toBeUndefined();
	});
});
