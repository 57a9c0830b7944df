import type { Findings, Note } from '../finding.mts';
import type { Json } from '../forms.mts';
import { noteForm } from '../forms.mts';
import { described } from '../refusal.mts';
import type { Visitor } from '../visitor.mts';
import { recordsOf } from './listing.mts';

const IDS_ASKED_FOR = 3;

/**
 * Checks the other ways to tags: by their identifiers, by a search, and of a user.
 *
 * @param tags from the listing
 * @param user one from the listing, if there is any
 */
export async function checkTags(
	visitor: Visitor,
	findings: Findings,
	tags: Json[],
	user?: Json,
): Promise<void> {
	if (user?.user_id !== undefined) {
		const answer = await visitor.get('/api/v1/tags/mapping', {
			ref_type: 'USER',
			ref_id: String(user.user_id),
		});
		const found = recordsOf(answer);
		const note = findings.about('Tags of a user', ['listings']);
		if (found) note('Listed', 'as documented', `${found.length}`);
		else note('Listed', 'in the way', described(answer));
		if (found && found.length > 0) noteForm(note, 'TagSummary', found);
	}
	if (tags.length === 0) return;
	const ids = tags
		.slice(0, IDS_ASKED_FOR)
		.flatMap(({ tag_id: id }) => id ?? [])
		.map(String);
	const note = findings.about('Tags by IDs', ['listings']);
	if (ids.length === 0) note('Found', 'not checked', 'no tag has one');
	else
		noteAmong(
			note,
			recordsOf(await visitor.get('/api/v1/tags', { ids: ids.join(',') })),
			'tag_id',
			ids,
		);
	const name = String(tags[0].name);
	const search = recordsOf(await visitor.get('/api/v1/tags/search', { q: name }));
	noteAmong(findings.about('Tag search', ['listings', 'names']), search, 'name', [name]);
}

function noteAmong(note: Note, found: Json[] | undefined, field: string, wanted: string[]): void {
	if (!found) return note('Found', 'in the way', 'no list came back');
	const values = new Set(found.map((record) => String(record[field])));
	const missing = wanted.filter((value) => !values.has(value)).length;
	const verdict = missing > 0 ? 'in the way' : 'as documented';
	note('Found', verdict, `${wanted.length - missing} of ${wanted.length}, ${found.length} in all`);
}
