import type { INodeTypeDescription } from 'n8n-workflow';

type NodeHints = NonNullable<INodeTypeDescription['hints']>;

const OFF = {
	dryRun: '"Dry Run" is off: running this node makes the changes. Turn it on to only see them.',
	skipUnchanged: '"Skip Unchanged" is off: changes are sent even where nothing differs.',
};

/**
 * Hints that the editor shows while an option has been added and is off: n8n adds it so, and a person who adds it
 * wants it.
 */
export const optionHints: NodeHints = Object.entries(OFF).map(([name, message]) => ({
	message,
	type: 'warning',
	location: 'ndv',
	whenToDisplay: 'always',
	displayCondition: `={{ $rawParameter.options?.${name} === false }}`,
}));
