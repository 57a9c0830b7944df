import type { IBuilderHint, IParameterBuilderHint, IRelatedNode } from 'n8n-workflow';
import { name as PACKAGE } from '../../package.json';

/** The nodes of the package, by the names under which n8n knows them. */
export const NODE_TYPE = {
	action: `${PACKAGE}.communityPlatform`,
	webhookTrigger: `${PACKAGE}.communityPlatformTrigger`,
	pollingTrigger: `${PACKAGE}.communityPlatformPollingTrigger`,
};

/**
 * The hint about a node for n8n's AI Builder: when to choose it, and with which nodes
 * (n8n-workflow, `IBuilderHint`).
 *
 * @param text for a model: when to choose this node, and when another one
 */
export function nodeHint(text: string, relatedNodes: IRelatedNode[]): IBuilderHint {
	return Object.assign({ searchHint: text, relatedNodes }, olderForm(text));
}

/**
 * The hint about a parameter, or about one option, for n8n's AI Builder
 * (n8n-workflow, `IParameterBuilderHint`).
 *
 * @param text for a model: when to choose it, and what to give
 */
export function propertyHint(text: string): IParameterBuilderHint {
	return Object.assign({ propertyHint: text }, olderForm(text));
}

// Around n8n 2.20 both were called `message`, and a hint without one is shown as "undefined" (docs/decisions.md, E30).
function olderForm(message: string) {
	return { message };
}
