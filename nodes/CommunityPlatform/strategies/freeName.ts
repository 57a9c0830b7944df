import { Failure, ignoreFailure, quoted, shortened } from '../../shared/failure';
import { identifierOf } from '../../shared/records/identity';
import { tag } from '../../shared/records/types';
import { foldName } from '../../shared/text';
import type { Item } from '../run/item';

/**
 * Checks in a dry run that the name of a tag is free, because the API only checks it in the real execution. How the API
 * derives the stored name is not documented (docs/decisions.md, A13), so a similar name only leads to a hint.
 *
 * @param id of the tag that would get the name, undefined for a new one
 * @throws Failure if another tag has the name, or if an earlier item would set it
 */
export async function requireFreeName(item: Item, name: unknown, id?: string): Promise<void> {
	const { community, run } = item;
	const { record, adviceIfTaken = '' } = run.prepared.operation;
	if (record !== tag || name === undefined) return;
	const typed = String(name);
	const all = await community.all('tag').catch(ignoreFailure);
	const [stored] = all?.having(typed).filter((each) => identifierOf(each, tag) !== id) ?? [];
	const key = item.keyOf({ kind: 'tag named', id: foldName(typed, true) });
	const earlier = community.planned.get(key);
	if (stored ?? (earlier && (id === undefined || earlier.tag_id !== id))) {
		const taken = shortened(String(stored?.name ?? foldName(typed, true)));
		throw new Failure(`A tag with the name ${taken} exists`, adviceIfTaken);
	}
	community.planned.set(key, { tag_id: id });
	const similar = all?.similar(typed);
	if (similar && identifierOf(similar, tag) !== id)
		run.notes.add('similarTag', `${quoted(typed)} (${shortened(String(similar.name))})`);
}
