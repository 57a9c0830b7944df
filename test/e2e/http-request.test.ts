import { outputOf } from '../../dev/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../dev/n8n/examples.mts';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 30 });

test("the credential works with n8n's own HTTP Request node", async () => {
	const { client, credential, sandbox } = scenery;
	const workflow = await client.createWorkflow({
		name: 'Ask by hand',
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'ask',
				name: 'Ask',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [220, 0],
				parameters: {
					url: `${sandbox.baseUrl}/api/v1/users/me`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: CREDENTIAL_TYPE,
				},
				credentials: { [CREDENTIAL_TYPE]: credential },
			},
		],
		connections: { Start: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
	});

	const execution = await client.waitForExecution(await client.runWorkflow(workflow.id, 'Start'));

	const { msid } = sandbox.community.caller;
	expect(outputOf(execution, 'Ask')).toEqual([expect.objectContaining({ msid })]);
	const [{ headers }] = sandbox.requests.all;
	const basic = Buffer.from(`${sandbox.sourceSystem}:${sandbox.apiKey}`).toString('base64');
	expect(headers.authorization).toBe(`Basic ${basic}`);
	expect(headers['user-agent']).toMatch(
		new RegExp(`^${PACKAGE_NAME}/\\d+\\.\\d+\\.\\d+ \\(${sandbox.sourceSystem}\\)$`),
	);
});
