import type { Sandbox } from '../../sandbox/server.mts';
import type { Instance } from '../instance.mts';
import { until } from '../../tools/wait.mts';
import type { Report } from './report.mts';
import type { Stage } from './stage.mts';
import { readWorkerLog } from './worker-log.mts';

const TIMEOUT_MS = 60_000;

/**
 * Has somebody join while the polling trigger is active, and checks which process did what about it.
 *
 * @param workers all there are
 */
export async function checkPolling(
	{ sandbox, client, workflows }: Stage,
	report: Report,
	workers: Instance[],
): Promise<void> {
	const { id } = workflows.notice;
	sandbox.requests.clear();
	await client.activate(id);
	// Who joins before the first question is answered is not new to it.
	const answered = async () =>
		sandbox.requests.matching('GET', '/api/v1/users').find(({ endedAt }) => endedAt !== null);
	await until('the polling trigger to have asked', answered, TIMEOUT_MS);
	const { msid } = sandbox.community.join({ first_name: 'Ada' });
	const noticed = async () => noticesOf(sandbox, msid).length > 0;
	await until('the new member to be noticed', noticed, TIMEOUT_MS);
	await client.deactivate(id);
	const executions = noticesOf(sandbox, msid);
	const logs = await Promise.all(workers.map(readWorkerLog));
	const byWorkers = executions.filter((execution) =>
		logs.some(({ started }) => started.has(execution)),
	);
	report.check(
		'The main process polls for new members, and a worker carries out what follows, once',
		executions.length === 1 && byWorkers.length === 1,
		`noticed by ${executions.length} execution, ${byWorkers.length} of them on a worker`,
	);
}

// The executions that wrote about a member, as the comments of the workflow begin with them.
function noticesOf({ community }: Sandbox, msid: string): string[] {
	return [...community.comments.values()]
		.map(({ content }) => content.split(' '))
		.filter(([, kind, about]) => kind === 'noticed' && about === msid)
		.map(([execution]) => execution);
}
