import { follow } from './follower.mts';

it('what is changed in the sources is built again, into the folder that was named', async () => {
	const project = await follow();
	try {
		await project.untilBuilt('nodes/CommunityPlatformTrigger/properties.js', 'Which events start');
		await project.replace(
			'nodes/CommunityPlatformTrigger/properties.ts',
			'Which events start',
			'Which of the events start',
		);
		await project.untilBuilt(
			'nodes/CommunityPlatformTrigger/properties.js',
			'Which of the events start',
		);
		const codex = 'nodes/CommunityPlatform/CommunityPlatform.node.json';
		await project.replace(codex, '"forum"', '"message board"');
		await project.untilBuilt(codex, '"message board"');
	} finally {
		await project.remove();
	}
}, 120_000);
