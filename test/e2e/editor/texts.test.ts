import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { CommunityPlatform } from '../../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformTrigger } from '../../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { parametersOf } from '../../support/description.mts';
import { useEditor } from '../support/browser.mts';
import { Canvas } from '../support/canvas.mts';
import { clippedTexts } from '../support/clipped.mts';
import { useStage } from '../support/use-stage.mts';
import { saveWorkflow } from '../support/workflow.mts';

const scenery = useStage({ webhookSecret: 'a long random text' });

/** Parameters with everything added that the collections among the properties offer. */
function withEverythingAdded(properties: INodeProperties[]): INodeParameters {
	const collections = properties.filter(({ type }) => type === 'collection');
	return Object.fromEntries(
		collections.map(({ name, options }) => {
			const added = (options as INodeProperties[]).map((option) => [option.name, option.default]);
			return [name, Object.fromEntries(added)];
		}),
	) as INodeParameters;
}

function everythingOf(resource: string, operation: string): INodeParameters {
	const { properties } = new CommunityPlatform().description;
	const shown = parametersOf(properties, `${resource}.${operation}`);
	return { resource, operation, ...withEverythingAdded(shown) };
}

// Those with the longest labels; the others are made of the same parts.
const OPENED = [
	{
		name: 'Member Joined',
		type: 'communityPlatformTrigger',
		parameters: withEverythingAdded(new CommunityPlatformTrigger().description.properties),
		dropdowns: ['events', 'verification'],
	},
	{ name: 'New Members', type: 'communityPlatformPollingTrigger', dropdowns: ['status', 'output'] },
	{ name: 'Change User', parameters: everythingOf('user', 'update'), dropdowns: ['operation'] },
	{ name: 'Create Tag', parameters: everythingOf('tag', 'create'), dropdowns: ['operation'] },
];

describe('Texts in the editor', () => {
	const { scene } = useEditor(scenery);

	scene('are shown in full, with everything added that can be added', async (page) => {
		const steps = OPENED.map(({ name, type, parameters }) => ({ name, type, parameters }));
		const workflow = await saveWorkflow(scenery, 'Everything', steps);
		const canvas = await Canvas.open(page, scenery, workflow);
		const clipped: string[] = [];
		for (const { name, dropdowns } of OPENED) {
			const view = await canvas.openNode(name);
			clipped.push(...(await clippedTexts(view.parameters)));
			for (const parameter of dropdowns) {
				await view.openDropdown(parameter);
				clipped.push(...(await clippedTexts(view.dropdown)));
				await page.keyboard.press('Escape');
				await view.dropdown.waitFor({ state: 'hidden' });
			}
			await view.close();
		}
		expect(clipped).toEqual([]);
	});
});
