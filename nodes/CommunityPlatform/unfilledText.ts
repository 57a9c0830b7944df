import type { INodeTypeDescription } from 'n8n-workflow';

type NodeHints = NonNullable<INodeTypeDescription['hints']>;

// By name and label: the parameters whose text members read.
const PUBLISHED = { headline: 'Headline', content: 'Content' };

/**
 * What the editor shows while a text that would be published has braces that n8n does not fill in: n8n takes a pasted
 * `{{ … }}` as an expression, but a typed one as text. The conditions read the parameters as they are saved, where an
 * expression begins with an equals sign.
 */
export const unfilledTextHints: NodeHints = Object.entries(PUBLISHED).map(([name, label]) => ({
	message: `"${label}" has braces that are published as they stand. Choose Expression above the field to have them filled in.`,
	type: 'warning',
	location: 'ndv',
	whenToDisplay: 'always',
	displayCondition: `={{ [$rawParameter.${name}, $rawParameter.updateFields?.${name}].some((text) => /^(?!=)[^]*\\x7b\\x7b[^]*\\x7d\\x7d/.test(text ?? '')) }}`,
}));
