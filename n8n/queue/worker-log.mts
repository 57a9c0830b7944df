import { readFile } from 'node:fs/promises';
import type { Instance } from '../instance.mts';

/** An execution that a worker took from the queue. */
export interface Run {
	workflowId: string;
	/** Milliseconds since 1970. */
	startedAt: number;
}

/** What a worker says it has begun and ended, by execution id. */
export interface WorkerLog {
	started: Map<string, Run>;
	finished: Set<string>;
}

/**
 * Reads from a worker's log which executions it took from the queue. n8n tells it nowhere else.
 *
 * @param worker one that logs as JSON
 */
export async function readWorkerLog({ logFile }: Instance): Promise<WorkerLog> {
	const log: WorkerLog = { started: new Map(), finished: new Set() };
	for (const line of (await readFile(logFile, 'utf8')).split('\n')) {
		const entry = parse(line);
		if (!entry?.metadata?.executionId) continue;
		const { executionId, workflowId = '', timestamp = '' } = entry.metadata;
		if (entry.message.startsWith('Worker started execution')) {
			log.started.set(executionId, { workflowId, startedAt: Date.parse(timestamp) });
		}
		if (entry.message.startsWith('Worker finished execution')) log.finished.add(executionId);
	}
	return log;
}

/**
 * The executions that a worker has begun and not ended.
 *
 * @param workflowId only those of this workflow
 * @returns their ids
 */
export async function unfinished(worker: Instance, workflowId?: string): Promise<Set<string>> {
	const { started, finished } = await readWorkerLog(worker);
	const isWanted = (run: Run) => workflowId === undefined || run.workflowId === workflowId;
	const ids = [...started].filter(([id, run]) => isWanted(run) && !finished.has(id));
	return new Set(ids.map(([id]) => id));
}

interface LogLine {
	message: string;
	metadata?: { executionId?: string; workflowId?: string; timestamp?: string };
}

// The last line may be half written, and warnings of Node itself are no JSON.
function parse(line: string): LogLine | undefined {
	if (!line.startsWith('{')) return undefined;
	try {
		return JSON.parse(line) as LogLine;
	} catch {
		return undefined;
	}
}
