import { Workflow, type INodeParameters } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { node, nodeTypes } from '../support/engine.mts';
import { action } from '../support/operations.mts';

/** The text below the node's name on n8n's canvas. */
function subtitleFor(parameters: INodeParameters): unknown {
	const type = new CommunityPlatform();
	const shown = node('Community', 'community', action('tag.update', parameters));
	const workflow = new Workflow({
		active: false,
		connections: {},
		nodes: [shown],
		nodeTypes: nodeTypes({ community: type }),
	});
	const { subtitle } = type.description;
	return workflow.expression.getSimpleParameterValue(shown, subtitle, 'internal', {});
}

it('says on the canvas what the node does, and whether it is a dry run', () => {
	expect(subtitleFor({})).toBe('Update: Tag');
	expect(subtitleFor({ options: { dryRun: true } })).toBe('Dry Run, Update: Tag');
	expect(subtitleFor({ options: { dryRun: false } })).toBe('Update: Tag');
});
