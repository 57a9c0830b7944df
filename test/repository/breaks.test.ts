import { parse } from 'yaml';
import { filesIn, isThere, text } from '../support/shipped.mts';

type Break = Record<'promise' | 'file' | 'from' | 'test', string>;
const breaks = parse(text('dev/breaks/list.yaml')) as Break[];
const tests = filesIn('test').filter((path) => path.endsWith('.test.ts'));

// `npm run breaks` makes them at night.
it.each(breaks)('makes a break that fits the sources: $promise', ({ file, from, test }) => {
	expect(isThere(file)).toBe(true);
	expect(text(file).split(from)).toHaveLength(2);
	expect(tests.filter((path) => new RegExp(test).test(path))).not.toEqual([]);
});
