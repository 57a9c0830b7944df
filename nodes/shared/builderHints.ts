import type { IBuilderHint, IParameterBuilderHint, IRelatedNode } from 'n8n-workflow';
import { name as PACKAGE } from '../../package.json';

/** The nodes of the package, by the names under which n8n knows them. */
export const NODE_TYPE = {
	action: `${PACKAGE}.communityPlatform`,
	webhookTrigger: `${PACKAGE}.communityPlatformTrigger`,
	pollingTrigger: `${PACKAGE}.communityPlatformPollingTrigger`,
};

/** Tells n8n's AI Builder when to choose a node, and with which others (n8n-workflow, `IBuilderHint`). */
export function nodeHint(text: string, relatedNodes: IRelatedNode[]): IBuilderHint {
	return Object.assign({ searchHint: text, relatedNodes }, olderForm(text));
}

/** Tells n8n's AI Builder when to choose a parameter or an option (n8n-workflow, `IParameterBuilderHint`). */
export function propertyHint(text: string): IParameterBuilderHint {
	return Object.assign({ propertyHint: text }, olderForm(text));
}

// Around n8n 2.20 both were called `message`, and a hint without one is shown as "undefined" (docs/decisions.md, E30).
function olderForm(message: string) {
	return { message };
}
