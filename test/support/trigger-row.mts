import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDeduplicationService } from 'n8n-core';
import type { ICheckProcessedContextData, IDataDeduplicator } from 'n8n-workflow';

/**
 * A stand-in for n8n's database behind n8n's helpers for deduplication: one row for each node, read, changed and
 * written back without a lock, like n8n (n8n, deduplication-helper.ts).
 */
export class Rows {
	private readonly rows = new Map<string, string[]>();
	/** If set, the next calls fail with it. */
	failure?: Error;

	/** Makes it n8n's database, instead of any earlier one. */
	async install(): Promise<void> {
		// n8n does not allow a second one in the same process.
		installed ??= DataDeduplicationService.init(N8N_ROWS as unknown as IDataDeduplicator);
		await installed;
		N8N_ROWS.checkProcessedAndRecord = async (...args) =>
			await this.checkProcessedAndRecord(...args);
		N8N_ROWS.removeProcessed = async (...args) => await this.removeProcessed(...args);
	}

	clear(): void {
		this.rows.clear();
		this.failure = undefined;
	}

	/** The number of recorded keys. */
	get size(): number {
		return [...this.rows.values()].reduce((sum, row) => sum + row.length, 0);
	}

	async checkProcessedAndRecord(
		keys: string[],
		scope: string,
		context: ICheckProcessedContextData,
		{ maxEntries = Infinity }: { maxEntries?: number },
	) {
		if (this.failure) throw this.failure;
		const id = toId(scope, context);
		const row = [...(this.rows.get(id) ?? [])];
		await sleep(2);
		const isNew = (key: string) => !row.includes(digest(key));
		const fresh = keys.filter(isNew);
		row.push(...fresh.map(digest));
		this.rows.set(id, row.slice(-Math.min(maxEntries, row.length)));
		return { new: fresh, processed: keys.filter((key) => !fresh.includes(key)) };
	}

	async removeProcessed(keys: string[], scope: string, context: ICheckProcessedContextData) {
		if (this.failure) throw this.failure;
		const id = toId(scope, context);
		const removed = new Set(keys.map(digest));
		const row = this.rows.get(id) ?? [];
		await sleep(2);
		this.rows.set(
			id,
			row.filter((key) => !removed.has(key)),
		);
	}
}

const N8N_ROWS: Partial<Pick<Rows, 'checkProcessedAndRecord' | 'removeProcessed'>> = {};
let installed: Promise<void> | undefined;

function toId(scope: string, { workflow, node }: ICheckProcessedContextData): string {
	return `${workflow.id} ${scope === 'node' ? node?.id : ''}`;
}

function digest(key: string): string {
	return createHash('md5').update(key).digest('base64');
}
