import type { IBuilderHint, IParameterBuilderHint, IRelatedNode } from 'n8n-workflow';
import { name as PACKAGE } from '../../../package.json';

/** The nodes of the package, by the names under which n8n knows them. */
export const NODE_TYPE = {
	action: `${PACKAGE}.communityPlatform`,
	webhookTrigger: `${PACKAGE}.communityPlatformTrigger`,
	pollingTrigger: `${PACKAGE}.communityPlatformPollingTrigger`,
};

/**
 * What n8n's AI Builder is told of a node when it looks for one, and with which nodes it goes together
 * (n8n-workflow, `IBuilderHint`).
 *
 * @param text for a model: when to choose this node, and when another one
 */
export function nodeHint(text: string, relatedNodes: IRelatedNode[]): IBuilderHint {
	return Object.assign({ searchHint: text, relatedNodes }, olderForm(text));
}

/**
 * What n8n's AI Builder is told of a parameter, or of one value of a dropdown, when it fills in a node
 * (n8n-workflow, `IParameterBuilderHint`).
 *
 * @param text for a model: when to choose it, and what to give
 */
export function propertyHint(text: string): IParameterBuilderHint {
	return Object.assign({ propertyHint: text }, olderForm(text));
}

// Around n8n 2.20 both were called `message`, and a hint without one was shown as "undefined".
function olderForm(message: string) {
	return { message };
}
