import { readFile } from 'node:fs/promises';
import { belowFloor } from './floors.mts';
import type { Result } from './measure.mts';

// Ends with 0 only if what results.json holds reaches its floors.
const text = await readFile(new URL('results.json', import.meta.url), 'utf8');
const findings = belowFloor((JSON.parse(text) as { results: Result[] }).results);
console.log(findings.length === 0 ? 'All ratios reach their floors' : findings.join('\n'));
if (findings.length > 0) process.exitCode = 1;
