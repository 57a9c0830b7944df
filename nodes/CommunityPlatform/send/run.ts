import type { IExecutePaginationFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Api } from '../../shared/call';
import { logHindrance, openApi } from '../../shared/call';
import type { CallSettings, Setting } from '../../shared/settings';
import { DEFAULT_SETTINGS } from '../../shared/settings';
import { Stop } from '../../shared/stop';
import { Turns } from '../../shared/turns';

/**
 * What the items of one run of one node have in common. n8n starts all items at once and knows
 * nothing of the others while it handles one.
 */
export class Run {
	/** Creates go one after another, in the order of the items. */
	readonly turns = new Turns();
	/** The last item that has entered. */
	lastItem = -1;
	/** Items whose requests are all done. */
	applied = 0;
	/** Once stopped, nothing is sent any more. What is on its way is left to finish, unless n8n cancels it. */
	readonly stop = new Stop();
	private api?: Promise<Api>;
	private active = 0;
	private readonly onIdle: Array<() => void> = [];

	/** @param itemCount the most items that n8n will start */
	constructor(private readonly itemCount: number) {}

	/**
	 * Opens the API once for all items; what the first item says holds for the run.
	 *
	 * @param given the options that the user has set
	 * @throws Failure when the credential cannot be used
	 */
	async open(functions: IExecutePaginationFunctions, given: Partial<CallSettings>): Promise<Api> {
		const settings = {
			maxRequestsAtOnce: given.maxRequestsAtOnce ?? DEFAULT_SETTINGS.maxRequestsAtOnce,
			maxRetries: given.maxRetries ?? DEFAULT_SETTINGS.maxRetries,
			offered: SETTINGS_OFFERED,
		};
		if (!this.api) {
			this.stop.follow(functions.getExecutionCancelSignal());
			this.api = openApi(functions, settings, this.stop);
		}
		return await this.api;
	}

	enter(): void {
		this.active++;
	}

	leave(): void {
		this.active--;
		if (this.active > 0) return;
		for (const resolve of this.onIdle.splice(0)) resolve();
		void this.api?.then(logHindrance, () => {});
	}

	/**
	 * Resolves when all items have begun and none is at work any more. With batching, n8n looks at what
	 * became of the first items only once it has started the last ones: a failure that came earlier would
	 * be an unhandled rejection, which ends a Node process unless somebody listens for it.
	 *
	 * @param intervalMs between two batches; zero without batching
	 */
	async over(intervalMs: number): Promise<void> {
		// The count can be too high: "Execute Once" leaves items out, and a tool is not called with those
		// of its agent. So what does not begin within an interval does not begin at all.
		for (let before = -1; intervalMs > 0 && this.isAwaiting(before);) {
			before = this.lastItem;
			await sleep(intervalMs);
		}
		if (this.active > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
	}

	private isAwaiting(before: number): boolean {
		return this.lastItem > before && this.lastItem + 1 < this.itemCount;
	}
}

// Under Options, and in the settings that n8n adds to every declarative node.
const SETTINGS_OFFERED: readonly Setting[] = ['Max Requests at Once', 'Max Retries', 'Timeout'];

const runs = new WeakMap<object, Run>();

/**
 * The run that an item belongs to: n8n hands the same execute data to all items of one run of one
 * node (design, engine fact 10). It hands the same again to each further try of "Retry On Fail", and
 * starts items in order: an item that does not come after the last one begins another run.
 */
export function runOf(functions: IExecutePaginationFunctions): Run {
	const key = functions.getExecuteData();
	const itemIndex = functions.getItemIndex();
	const known = runs.get(key);
	const [items] = key.data.main ?? [];
	const run = known && itemIndex > known.lastItem ? known : new Run(items?.length ?? 1);
	run.lastItem = itemIndex;
	runs.set(key, run);
	return run;
}
