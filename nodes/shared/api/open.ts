import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	Logger,
} from 'n8n-workflow';
import type { CallSettings } from '../exchange/settings';
import { Stop } from '../pacing';
import { normalizeBaseUrl } from './baseUrl';
import type { CommunityPlatformCredential } from './constants';
import { CREDENTIAL } from './constants';
import { Hindrance } from './hindrance';
import type { ApiState } from './state';
import { apiStateFor } from './state';

/** n8n's node functions, in the places where this package calls the API. */
export type CallingFunctions =
	IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions | IExecuteFunctions;

/** One API, ready to be called on behalf of one run. */
export interface Api {
	baseUrl: string;
	settings: CallSettings;
	state: ApiState;
	/** What the user is told in the end of how the API could not keep up. */
	hindrance: Hindrance;
	/** The run's; once stopped, nothing more is sent. */
	stop: Stop;
	logger: Logger;
}

/**
 * Opens the API that the node's credential names.
 *
 * @param context any of n8n's node functions
 * @param settings how to send
 * @param stop ends waiting and sending
 * @throws Failure when the base URL in the credential cannot be used
 */
export async function openApi(
	context: CallingFunctions,
	settings: CallSettings,
	stop = new Stop(),
): Promise<Api> {
	const credential = await context.getCredentials<CommunityPlatformCredential & IDataObject>(
		CREDENTIAL,
	);
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const state = apiStateFor(baseUrl, String(credential.sourceSystem ?? ''));
	return {
		baseUrl,
		settings,
		state,
		hindrance: new Hindrance(state.limiter),
		stop,
		logger: context.logger,
	};
}

/**
 * Tells n8n's log, once for all since the last time, how the API could not keep up.
 *
 * @returns what was told, without its full stop; undefined when it kept up
 */
export function logHindrance({ hindrance, logger }: Api): string | undefined {
	const told = hindrance.tell();
	if (told) logger.info(`Community Platform: ${told}`);
	return told;
}
