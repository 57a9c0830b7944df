import type { INodeTypeDescription } from 'n8n-workflow';

type NodeHints = NonNullable<INodeTypeDescription['hints']>;

// Name and label of the parameters whose text is published.
const PUBLISHED = { headline: 'Headline', content: 'Content' };

/**
 * Hints that the editor shows while a text to be published has braces that n8n does not evaluate: n8n takes a pasted
 * `{{ … }}` for an expression, but a typed one for text. The conditions read the parameters as they are saved, where an
 * expression begins with an equals sign.
 */
export const unfilledTextHints: NodeHints = Object.entries(PUBLISHED).map(([name, label]) => ({
	message: `"${label}" has braces that are published as they stand. Choose Expression above the field to have them filled in.`,
	type: 'warning',
	location: 'ndv',
	whenToDisplay: 'always',
	displayCondition: `={{ [$rawParameter.${name}, $rawParameter.updateFields?.${name}].some((text) => /^(?!=)[^]*\\x7b\\x7b[^]*\\x7d\\x7d/.test(text ?? '')) }}`,
}));
