import type { HttpAnswer } from '../../shared/transport/answer';
import type { ApiRequest } from '../../shared/transport/request';
import type { Api } from '../../shared/transport';
import type { Stop } from '../../shared/limiter';

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
