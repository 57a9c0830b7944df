import { outputOf } from '../../dev/n8n/client.mts';
import { until } from '../../dev/tools/wait.mts';
import { type Collector, startCollector } from './support/collector.mts';
import { useOwnN8n } from './support/own-n8n.mts';
import { saveWorkflow } from './support/workflow.mts';

const SPANS_TIMEOUT_MS = 30_000;
const PREFIX = 'n8n.node.custom.community_platform.';
const LICENSED = 'feat:otel:customSpanAttributes';

let collector: Collector;
const settings: Record<string, string> = {
	N8N_OTEL_ENABLED: 'true',
	N8N_OTEL_TRACES_PRODUCTION_ONLY: 'false',
	// Opens the endpoint with which n8n's own tests switch on what needs a license.
	E2E_TESTS: 'true',
};
beforeAll(async () => {
	collector = await startCollector();
	settings.N8N_OTEL_EXPORTER_OTLP_ENDPOINT = collector.endpoint;
});
const own = useOwnN8n({ members: 30 }, settings);
afterAll(async () => await collector.close());

/** Runs a listing that is refused once, and waits for its span. */
async function spanOfRun() {
	own.sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 1, times: 1 });
	const parameters = { resource: 'tag', operation: 'getAll', returnAll: true };
	const workflow = await saveWorkflow(own, 'Tags', [{ name: 'Tags', parameters }]);
	const id = await own.client.runWorkflow(workflow.id, 'Start');
	const execution = await own.client.waitForExecution(id);
	expect(outputOf(execution, 'Tags')).toHaveLength(own.sandbox.community.tags.size);
	const earlier = collector.spans.splice(0);
	expect(earlier.filter(isOfNode)).toEqual([]);
	const span = await until(
		'the span of the node',
		async () => collector.spans.find(isOfNode),
		SPANS_TIMEOUT_MS,
	);
	collector.spans.length = 0;
	const [{ metadata }] = execution.data.resultData.runData.Tags;
	return { span, figures: metadata?.tracing };
}

function isOfNode({ name, attributes }: Collector['spans'][0]): boolean {
	return name === 'node.execute' && attributes['n8n.node.name'] === 'Tags';
}

test('what the node reports is an attribute of its span where n8n has the license for it', async () => {
	await own.client.call('PATCH', '/e2e/feature', { feature: LICENSED, enabled: true });
	const { span } = await spanOfRun();
	const figures = Object.entries(span.attributes)
		.filter(([name]) => name.startsWith(PREFIX))
		.map(([name, value]) => [name.slice(PREFIX.length), value]);
	expect(Object.fromEntries(figures)).toEqual({
		...{ requests: expect.stringMatching(/^\d+$/), refused: '1', repeated: '1' },
		...{
			paused_seconds: '1',
			pages: '4',
			unchanged: '0',
			concurrency: expect.stringMatching(/^\d+$/),
		},
		requests_per_second: expect.stringMatching(/^\d+$/),
	});
});

test('without it, the figures are in the data of the execution only', async () => {
	await own.client.call('PATCH', '/e2e/feature', { feature: LICENSED, enabled: false });
	const { span, figures } = await spanOfRun();
	expect(span.attributes).toMatchObject({ 'n8n.node.items.input': '1' });
	expect(
		Object.keys(span.attributes).filter((name) => name.includes('community_platform')),
	).toEqual([]);
	expect(figures).toMatchObject({ 'community_platform.refused': 1 });
	// n8n sends the trace along with requests that need no credential.
	const headers = own.sandbox.requests.all.flatMap((request) => Object.keys(request.headers));
	expect(headers).toContain('user-agent');
	expect(headers).not.toContain('traceparent');
});
