import { hasWords, nameContains } from '../nameFilter';
import type { ListingFilter } from '../operation';
import type { Field, Input } from '../../input/field';

/** Which boards are listed. The API has no filter, so the node leaves out the others. */
export const filters: Field = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		nameContains(
			'e.g. events',
			'Only boards with each of these words in the name, whatever case and accents',
		),
	],
};

/** What the filters of a listing of boards mean. */
export function listingFilterOf({ values: { nameContains: words } }: Input): ListingFilter {
	return words === undefined ? {} : hasWords(words, ['board_name'], 'boards');
}
