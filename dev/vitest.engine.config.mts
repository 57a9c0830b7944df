import { defineConfig, mergeConfig } from 'vitest/config';
import mutation from './vitest.mutation.config.mts';

const include = [
	'test/engine/{board-upsert,by-name,dry-run,faults-retry,filters,hidden-fields,hints,input}.test.ts',
	'test/engine/{listing,listing-odd,output-items}.test.ts',
	'test/engine/{members,modes,order,people,role-names,skip-unchanged,tool,wire,wire-keep,wire-upsert}.test.ts',
];

/** The tests through n8n's engine that are about the strategies, as Stryker runs them. */
export default mergeConfig(mutation, defineConfig({ test: { include } }));
