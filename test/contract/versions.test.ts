import { compatibilityTable, recordedRuns } from '../../dev/scripts/compatibility.mts';
import { ENGINES, NEWEST } from '../../dev/scripts/engines.mts';
import { readme } from '../support/examples.mts';
import manifest from '../../package.json';
import pinned from '../../dev/n8n/package.json';

it('the README names the oldest n8n that is tested', () => {
	const [{ n8n }] = ENGINES;
	const [major, minor] = n8n.split('.');
	expect(readme()).toContain(`Works with n8n ${major}.${minor} and newer.`);
});

it('the newest n8n that is tested is the one that the project installs', () => {
	expect(NEWEST.core).toBe(manifest.devDependencies['n8n-core']);
	expect(NEWEST.workflow).toBe(manifest.devDependencies['n8n-workflow']);
	expect(NEWEST.n8n).toBe(pinned.dependencies.n8n);
});

describe('what ran on which n8n', () => {
	it('is told by the README as it is on record', () => {
		expect(recordedRuns()).not.toEqual([]);
		expect(readme()).toContain(
			`<!-- compatibility -->\n\n${compatibilityTable(recordedRuns())}\n\n<!-- /compatibility -->`,
		);
	});

	it('is on record for every n8n that is tested, and for no other', () => {
		const ran = recordedRuns().map(({ n8n }) => n8n);
		expect([...new Set(ran)].reverse()).toEqual(ENGINES.map(({ n8n }) => n8n));
	});
});
