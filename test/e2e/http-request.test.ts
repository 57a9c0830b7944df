import { outputOf } from '../../dev/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../dev/n8n/examples.mts';
import { runToEnd } from './support/by-hand.mts';
import { useStage } from './support/use-stage.mts';
import { saveWorkflow } from './support/workflow.mts';

const scenery = useStage({ members: 30 });

test("the credential works with n8n's own HTTP Request node", async () => {
	const { baseUrl, community, requests, sourceSystem, apiKey } = scenery.sandbox;
	const workflow = await saveWorkflow(scenery, 'Ask by hand', [
		{
			...{ name: 'Ask', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
			parameters: {
				url: `${baseUrl}/api/v1/users/me`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: CREDENTIAL_TYPE,
			},
		},
	]);

	const execution = await runToEnd(scenery, workflow);

	const { msid } = community.caller;
	expect(outputOf(execution, 'Ask')).toEqual([expect.objectContaining({ msid })]);
	const basic = Buffer.from(`${sourceSystem}:${apiKey}`).toString('base64');
	expect(requests.all[0].headers.authorization).toBe(`Basic ${basic}`);
});
