/** The credential's internal name, by which saved workflows refer to it. */
export const CREDENTIAL = 'communityPlatformApi';

/** Every endpoint begins with this path (docs/api/README.md, "Versioning"). */
export const API_PATH = '/api/v1';

/** The largest page_size the API takes (docs/api/README.md, "Limits"). */
export const MAX_PAGE_SIZE = 50;

/** The fields of the credential, as n8n hands them over once decrypted. */
export interface CommunityPlatformCredential {
	baseUrl: string;
	sourceSystem: string;
	apiKey: string;
	webhookSecret?: string;
	allowUnauthorizedCerts?: boolean;
}
