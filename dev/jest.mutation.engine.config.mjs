import unit from './jest.mutation.config.mjs';

const engine = [
	'{board-upsert,by-name,dry-run,faults-retry,filters,hidden-fields,hints,input,listing,listing-faults}',
	'{members,on-error,order,output-items,people,role-names,skip-unchanged,tool,wire,wire-keep,wire-upsert}',
	'{input-collections,input-identifiers,tool-arguments,wire-values,credential-secrets}',
	'{polling,polling-address,polling-listing,trigger-answers}',
];

/** The tests through n8n's engine that are about the strategies, the parameters and the triggers, as Stryker runs them. */
export default {
	...unit,
	testMatch: [
		...engine.map((names) => `<rootDir>/test/engine/${names}.test.ts`),
		'<rootDir>/test/unit/{polling-stories,read-input,trigger-verify}.test.ts',
	],
};
