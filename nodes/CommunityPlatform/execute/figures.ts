import type { Api } from '../../shared/transport';
import type { Notes } from './hints';

// A prefix, so that no attribute collides with a tag that the user has set.
const PREFIX = 'community_platform';

/**
 * The attributes of a run in n8n's tracing (docs/scaling.md, "Tracing").
 *
 * @param notes of the run's items
 * @param apis that the run has called, one for each limiter
 * @returns values by attribute name
 */
export function figuresOf({ pages, unchanged }: Notes, apis: Api[]): Record<string, number> {
	const reports = apis.map(({ throttleReport }) => throttleReport);
	const sum = (of: (report: (typeof reports)[0]) => number) =>
		reports.reduce((total, report) => total + of(report), 0);
	const figures = {
		requests: sum(({ sent }) => sent),
		refused: sum(({ refused }) => refused),
		repeated: sum(({ retried }) => retried),
		paused_seconds: Math.round(sum(({ pausedSeconds }) => pausedSeconds) * 10) / 10,
		pages,
		unchanged,
		...limitsOf(apis),
	};
	return Object.fromEntries(
		Object.entries(figures).map(([name, value]) => [`${PREFIX}.${name}`, value]),
	);
}

// Left out for a run that calls several communities, because each has its own limits.
function limitsOf(apis: Api[]): Record<string, number> {
	if (apis.length !== 1) return {};
	const [api] = apis;
	const { perSecond, concurrencyLimit } = api.state.limiter;
	return {
		concurrency: Math.min(api.settings.maxRequestsAtOnce, concurrencyLimit),
		...(perSecond < Infinity && { requests_per_second: Math.ceil(perSecond) }),
	};
}
