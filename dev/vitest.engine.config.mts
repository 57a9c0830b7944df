import { defineConfig, mergeConfig } from 'vitest/config';
import mutation from './vitest.mutation.config.mts';

const include = [
	'test/engine/{board-upsert,by-name,dry-run,faults-retry,filters,hidden-fields,hints,input}.test.ts',
	'test/engine/{listing,listing-odd,output-items}.test.ts',
	'test/engine/{input-collections,input-identifiers,tool-arguments,wire-values}.test.ts',
	'test/engine/{credential-secrets,polling,polling-address,polling-listing,trigger-answers,trigger-flood}.test.ts',
	'test/unit/{polling-stories,read-input,trigger-verify}.test.ts',
	'test/engine/{members,modes,order,people,role-names,skip-unchanged,tool,wire,wire-keep,wire-upsert}.test.ts',
];

/** The tests through n8n's engine that are about the strategies, the parameters and the triggers, as Stryker runs them. */
export default mergeConfig(mutation, defineConfig({ test: { include } }));
