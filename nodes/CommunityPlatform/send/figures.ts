import type { Api } from '../../shared/api';
import type { Notes } from './hints';

// Before each name, so that none is taken for a tag that the user has set.
const PREFIX = 'community_platform';

/**
 * What n8n's tracing is told of a run (docs/scaling.md, "Tracing").
 *
 * @param notes what the items have noted
 * @param apis that the run has called, one for each limiter
 * @returns figures by the names of their attributes
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

// Each community has limits of its own, so that there are none to tell where a run calls several.
function limitsOf(apis: Api[]): Record<string, number> {
	if (apis.length !== 1) return {};
	const [api] = apis;
	const { perSecond, concurrencyLimit } = api.state.limiter;
	return {
		concurrency: Math.min(api.settings.maxRequestsAtOnce, concurrencyLimit),
		...(perSecond < Infinity && { requests_per_second: Math.ceil(perSecond) }),
	};
}
