import type { HttpAnswer } from '../../shared/exchange/answer';
import type { ApiRequest } from '../../shared/exchange/request';
import type { Api } from '../../shared/api';
import type { Stop } from '../../shared/pacing';

/** Calls the API for a run. */
export interface Caller {
	api: Api;
	/**
	 * Sends a request, see `call`.
	 *
	 * @param withdrawn cancels this request alone, not the run
	 */
	send(request: ApiRequest, withdrawn?: Stop): Promise<HttpAnswer>;
}
