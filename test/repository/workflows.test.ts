import { parse } from 'yaml';
import { text } from '../support/shipped.mts';

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

interface Job {
	'timeout-minutes'?: number;
	permissions?: Record<string, string>;
	steps: Array<{ uses?: string; run?: string; with?: Record<string, unknown> }>;
}

// `npm run lint:workflows` validates them like GitHub. These are the project's own rules.
describe.each(['ci', 'nightly', 'weekly', 'publish'])('The workflow %s', (name) => {
	const source = text(`.github/workflows/${name}.yml`);
	const workflow = parse(source) as Workflow;
	const jobs = Object.entries(workflow.jobs);
	const steps = jobs.flatMap(([, job]) => job.steps);

	it('pins actions by digest, with the version in a comment', () => {
		const named = [...source.matchAll(/uses: (.*)/g)].map(([, what]) => what);
		expect(named.length).toBe(steps.filter(({ uses }) => uses).length);
		const loose = named.filter(
			(what) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(what),
		);
		expect(loose).toEqual([]);
	});

	it('has read permission only, except for the identity of the publishing job', () => {
		const granted = [workflow.permissions ?? { everything: 'write' }]
			.concat(jobs.map(([, { permissions = {} }]) => permissions))
			.flatMap((permissions) => Object.entries(permissions))
			.filter(([what, how]) => !(what === 'contents' && how === 'read'));
		expect(granted).toEqual(name === 'publish' ? [['id-token', 'write']] : []);
	});

	it('stores no token, and has a time limit', () => {
		const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
		expect(checkouts).toHaveLength(jobs.length);
		for (const { with: options } of checkouts) expect(options?.['persist-credentials']).toBe(false);
		for (const [, job] of jobs) expect(job['timeout-minutes']).toBeGreaterThan(0);
	});
});
