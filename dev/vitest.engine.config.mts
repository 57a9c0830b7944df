import { defineConfig, mergeConfig } from 'vitest/config';
import mutation from './vitest.mutation.config.mts';

const include = [
	'test/engine/{board-upsert,by-name,dry-run,filters,hidden-fields,hints,listing,listing-odd}.test.ts',
	'test/engine/{members,modes,order,people,role-names,skip-unchanged,wire-keep,wire-upsert}.test.ts',
];

/** The tests through n8n's engine that are about the strategies, as Stryker runs them. */
export default mergeConfig(mutation, defineConfig({ test: { include } }));
