import type { Stop } from '../pacing';
import type { Page, Walk } from './pages';

// The first page that is looked at further down. In simulated time 10 to 14 pages then take three round
// trips and 15 to 37 take four, instead of three to five; 1 to 100 pages take 471 in all instead of 523, with
// 15 % fewer requests. In exchange 4, 8 and 9 pages take one more. With a first look at page 19, 16 to 19 pages
// would, too, and 10 to 14 would gain nothing.
const FIRST_LOOK = 9;

/**
 * The pages of a walk that are on their way, in order. Whoever asks ahead learns only from the last page
 * that it was the last: so there are never more requests than twice the pages that are there for certain,
 * and how many these are is found out early.
 *
 * - Of a listing that is known, the page it ended at the last time is asked for along with the first: if it
 *   is still there, so is all in between.
 * - One that is not known is looked at further down, each time about twice as far, as long as has_more says
 *   that there is more. Beyond a look that found no more, nothing is asked for in vain.
 *
 * What was looked at is asked for again in its turn, because by then somebody may have slid to it from
 * the page before.
 */
export class Ahead {
	/** Pages that were taken so far. */
	taken = 0;
	/** Asked for in order, the next one first. */
	private readonly onTheirWay: Array<Promise<Page>>;
	private readonly before: number;
	private readonly isAsBefore?: Promise<boolean>;
	/** Pages that are there: those that were taken, and one more while there is more. */
	private certain = 1;
	/** The last page to ask for in its turn, as far as a look tells; Infinity where it tells of no end. */
	private end = Infinity;
	private looks = 0;
	private isLooking = false;
	/** Whether has_more said that there is more. */
	private isAnnounced = false;
	/** Records that are still wanted. */
	private left = 0;

	/** @param withdrawn stopped when the walk has ended */
	constructor(
		private readonly walk: Walk,
		private readonly withdrawn: Stop,
	) {
		const { pagesBefore = 0, pageSize, limit, window } = walk;
		this.before = pagesBefore;
		this.onTheirWay = [this.askFor(1)];
		// Where so many pages are wanted, and more than one may be on its way.
		const looksForEnd = pagesBefore > 1 && pagesBefore * pageSize <= limit && window > 1;
		if (looksForEnd) {
			this.isAsBefore = this.look(pagesBefore, ({ records }) => records.length > 0);
		}
	}

	/**
	 * The next page, once it is there.
	 *
	 * @param left records that are still wanted, at least 1
	 * @throws what fetching it throws
	 */
	async take(left: number): Promise<Page> {
		this.left = left;
		this.ask();
		const page = await this.onTheirWay[0];
		this.onTheirWay.shift();
		this.taken++;
		return page;
	}

	/**
	 * Notes that the listing goes on after a page, and asks for what may be asked for now.
	 *
	 * @param page the one taken last
	 * @param left records that are still wanted
	 */
	async goOn(page: Page, left: number): Promise<void> {
		this.left = left;
		this.isAnnounced = page.hasMore === true;
		this.certain = Math.max(this.certain, this.taken + 1);
		if (this.taken === 1 && (await this.isAsBefore)) this.certain = this.before;
		// On its way while whoever walks works on this page; one page at a time, that may be the last wanted.
		if (this.walk.window > 1) this.ask();
	}

	private ask(): void {
		if (this.looksFurther) this.lookFurther();
		// What is on its way may fill the limit: nothing is asked for in vain.
		const wanted = this.taken + Math.ceil(this.left / this.walk.pageSize);
		// Without has_more only a page tells whether another one follows.
		const most = this.isAnnounced
			? mostAsked(this.certain, this.before) - this.looks
			: this.taken + 1;
		const end = this.certain > this.end ? Infinity : this.end;
		const last = Math.min(wanted, most, end);
		const window = this.walk.window - (this.isLooking ? 1 : 0);
		while (this.inTurn < last && this.onTheirWay.length < window) {
			this.onTheirWay.push(this.askFor(this.inTurn + 1));
		}
	}

	/** Pages that were asked for in their turn. */
	private get inTurn(): number {
		return this.taken + this.onTheirWay.length;
	}

	// A look is a request more than a limit needs, and gains nothing where few pages may be on their way.
	private get looksFurther(): boolean {
		const { limit, window } = this.walk;
		const isOfUse = this.before === 0 && limit === Infinity && window > FIRST_LOOK;
		return isOfUse && this.isAnnounced && this.end === Infinity;
	}

	private lookFurther(): void {
		const page = Math.max(FIRST_LOOK, 2 * this.certain - 1);
		const most = mostAsked(this.certain, 0) - this.looks;
		// Enough to keep the window full until more pages are taken, however long that is.
		const isEnough = most >= this.taken + 2 * this.walk.window;
		if (isEnough || this.inTurn >= most) return;
		this.looks++;
		this.isLooking = true;
		this.end = page - 1;
		const looked = this.askFor(page).catch(() => undefined);
		void looked.then((found) => {
			this.isLooking = false;
			// One without a record proves nothing, whatever it announces.
			const isMore = found?.hasMore === true && found.records.length > 0;
			if (isMore) this.certain = Math.max(this.certain, page + 1);
			if (isMore) this.end = Infinity;
			else if (found?.records.length !== 0) this.end = page;
			if (!this.withdrawn.isStopped) this.ask();
		});
	}

	private async look(page: number, finds: (page: Page) => boolean): Promise<boolean> {
		return await this.askFor(page).then(finds, () => false);
	}

	// A page that was asked for ahead may fail after the walk has ended without it; nobody waits for
	// that one any more, and an unhandled rejection would end n8n's process.
	private askFor(page: number): Promise<Page> {
		const asked = this.walk.fetchPage(page, this.withdrawn);
		asked.catch(() => {});
		return asked;
	}
}

/**
 * How many pages may have been asked for so far, looks further down included: never more than half are in
 * vain, and a long listing is at full width after a few round trips.
 *
 * @param certain pages that are there for certain
 * @param before pages that the same listing had the last time, not counting the request that looked
 * whether they are still there; 0 where that is not known
 */
function mostAsked(certain: number, before: number): number {
	if (certain === 1) return 1;
	// Beyond where it ended, a listing that has grown is like one that is not known.
	return certain <= before ? Math.min(2 * certain - 1, before) : 2 * certain - before;
}
