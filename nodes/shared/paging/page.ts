import type { IDataObject } from 'n8n-workflow';
import type { Stop } from '../limiter';

/** One page of a listing; `hasMore` is undefined when the answer did not carry the header. */
export interface Page {
	records: IDataObject[];
	hasMore?: boolean;
}

/** How to paginate a listing. */
export interface Pagination {
	/**
	 * Requests one page, counted from 1 (docs/api/README.md, "Limits"). Stopping `withdrawn` cancels the request, because
	 * the listing has ended before that page.
	 */
	fetchPage(page: number, withdrawn: Stop): Promise<Page>;
	/** Records on each page; the same for the whole listing (docs/decisions.md, A5). */
	pageSize: number;
	/** The most records wanted; Infinity for all. */
	limit: number;
	/** The most pages in flight. */
	concurrency: number;
	/** How many pages the same listing had the last time, where known. */
	pagesBefore?: number;
	/** Called with the number of pages when has_more has said that there are no more. */
	atEnd?(pages: number): void;
	/** Called when the limit is reached although there are more records. */
	atLimit?(): void;
	/** What the user can do when a listing does not advance; by default, only the operators can. */
	adviceIfStuck?: string;
	/** Identifiers of records that were given before, by another listing; those of this one are added. */
	seen?: Set<unknown>;
	/** The field that identifies a record. */
	idField: string;
}
