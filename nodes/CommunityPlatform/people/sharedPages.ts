import type { NewRecords } from '../../shared/pagination';

interface List {
	source: AsyncGenerator<NewRecords>;
	read: Array<Promise<IteratorResult<NewRecords, unknown>>>;
	readers: number;
	isWhole: boolean;
}

/** The lists that several items of a run read at the same time, because each item has its own filters. */
export class SharedPages {
	private readonly lists = new Map<string, List>();

	/** Yields the pages of a list, and requests each page once. `isCopy`: another item has the same records. */
	async *of(key: string, open: () => AsyncGenerator<NewRecords>) {
		const list = this.lists.get(key) ?? { source: open(), read: [], readers: 0, isWhole: false };
		this.lists.set(key, list);
		list.readers++;
		try {
			for (let at = 0; ; at++) {
				const isCopy = at in list.read;
				list.read[at] ??= list.source.next();
				const page = await list.read[at];
				list.isWhole ||= page.done === true;
				if (page.done) return;
				yield { ...page.value, isCopy };
			}
		} finally {
			list.readers--;
			if (list.readers === 0 && !list.isWhole) {
				// Nobody needs the pages that were requested ahead. A later item begins again.
				this.lists.delete(key);
				await list.source.return(undefined);
			}
		}
	}
}
