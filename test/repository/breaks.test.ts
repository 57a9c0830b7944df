import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';
import { isThere, text } from '../support/shipped.mts';

type Break = Record<'promise' | 'file' | 'from' | 'test', string>;
const breaks = parse(text('dev/breaks/list.yaml')) as Break[];
const tests = readdirSync(join(PROJECT_FOLDER, 'test'), { recursive: true, encoding: 'utf8' }).map(
	(path) => `test/${path}`,
);

// `npm run breaks` runs them at night.
it.each(breaks)('can break its promise: $promise', ({ file, from, test }) => {
	expect(isThere(file)).toBe(true);
	expect(text(file).split(from)).toHaveLength(2);
	expect(tests.filter((path) => new RegExp(test).test(path))).not.toEqual([]);
});
