import type { BackOff } from './failure';
import type { Outcome } from './outcome';
import { askedMsOf } from './outcome';

/**
 * When n8n may poll again after a failed request, see {@link BackOff}.
 *
 * @param outcome of the last attempt
 * @param httpCode undefined where no answer came
 * @returns undefined where it is not known whether the cause is transient; n8n then assumes that it is
 */
export function backOffOf(outcome: Outcome, httpCode?: number): BackOff | undefined {
	const askedMs = askedMsOf(outcome);
	const retryAfterMs = askedMs ? { retryAfterMs: askedMs } : {};
	if (httpCode === 429) return { cause: 'rate-limited', ...retryAfterMs };
	if ('isTransient' in outcome && outcome.isTransient) {
		return { cause: 'temporarily-unavailable', ...retryAfterMs };
	}
	// A wrong key is answered with 403 (docs/api/README.md, "Authentication").
	if (httpCode === 401 || httpCode === 403) return { cause: 'credential-invalid' };
	const isElsewhere = httpCode === 404 || httpCode === 405 || isRedirect(httpCode);
	return isElsewhere ? { cause: 'configuration-invalid' } : undefined;
}

function isRedirect(httpCode = 0): boolean {
	return httpCode >= 300 && httpCode < 400;
}
