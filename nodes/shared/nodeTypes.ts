import { name as PACKAGE } from '../../package.json';

/** The nodes of the package, by the names under which n8n knows them. */
export const NODE_TYPE = {
	action: `${PACKAGE}.communityPlatform`,
	webhookTrigger: `${PACKAGE}.communityPlatformTrigger`,
	pollingTrigger: `${PACKAGE}.communityPlatformPollingTrigger`,
};
