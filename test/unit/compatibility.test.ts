import { compatibilityTable, type Run, withRun } from '../../dev/scripts/compatibility.mts';
import { withGenerated } from '../../dev/tools/generated.mts';

const run = (n8n: string, node: string, more: Partial<Run> = {}): Run => ({
	...{ n8n, scope: 'engine', node, tests: 280, date: '2031-05-02' },
	...more,
});
const passed = { tests: 281, date: '2031-06-01' };
const before = [run('2.8.4', '20.19.0'), run('2.8.4', '22.16.0'), run('1.123.81', '20.19.0')];
const whole = run('2.8.4', '22.16.0', { scope: 'whole', tests: undefined });

describe('the record of what ran', () => {
	const place = (n8n: string, node: string): Pick<Run, 'n8n' | 'scope' | 'node'> => ({
		...{ n8n, scope: 'engine', node },
	});

	it('has the newest n8n first, by number, and its Nodes in order', () => {
		const runs = withRun(withRun(before, place('2.20.12', '22.16.0'), passed), whole, whole);
		expect(runs.map(({ n8n, scope, node }) => [n8n, scope, node].join(' '))).toEqual([
			'2.20.12 engine 22.16.0',
			'2.8.4 whole 22.16.0',
			'2.8.4 engine 20.19.0',
			'2.8.4 engine 22.16.0',
			'1.123.81 engine 20.19.0',
		]);
	});

	it('has one run for each generation of Node, the latest', () => {
		const runs = withRun(before, place('2.8.4', '20.20.2'), passed);
		expect(runs).toEqual([run('2.8.4', '20.20.2', passed), before[1], before[2]]);
	});

	it('loses what has passed before and passes no longer', () => {
		expect(withRun(before, place('2.8.4', '20.20.2'))).toEqual([before[1], before[2]]);
	});

	it('keeps a run of all of n8n apart from one of its engine', () => {
		expect(withRun([whole], place('2.8.4', '22.16.0'))).toEqual([whole]);
	});
});

describe('the table of what ran', () => {
	it('has one row for all Nodes on which the same ran, with the date that is the longest ago', () => {
		const older = run('2.8.4', '24.1.0', { date: '2031-04-30' });
		const table = compatibilityTable([whole, ...before.slice(0, 2), older, before[2]]);
		expect(table.split('\n').slice(2)).toEqual([
			'| 2.8.4 | All of n8n | 22.16.0 | the demo | 2031-05-02 |',
			'| 2.8.4 | Its engine | 20.19.0, 22.16.0, 24.1.0 | 280 | 2031-04-30 |',
			'| 1.123.81 | Its engine | 20.19.0 | 280 | 2031-05-02 |',
		]);
	});
});

describe('a generated part of a document', () => {
	it('takes the place of the one before, and nothing else', () => {
		const text = 'a\n<!-- two -->\n\nold\n\n<!-- /two -->\nb\n<!-- one -->\n<!-- /one -->\n';
		const once = withGenerated(text, 'two', '$1');
		expect(once).toBe(text.replace('old', () => '$1'));
		expect(withGenerated(once, 'one', 'new')).toContain('\n<!-- one -->\n\nnew\n\n<!-- /one -->\n');
	});

	it('needs its marks', () => {
		expect(() => withGenerated('text', 'one', 'new')).toThrow('There is no <!-- one -->');
	});
});
