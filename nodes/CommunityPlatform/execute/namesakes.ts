import type { IDataObject } from 'n8n-workflow';
import { isSameName } from '../../shared/text';
import type { Item } from './item';

/**
 * Tells a model about other boards with the name that it has set: it does not see the list of boards, the API takes a name
 * twice, and a board cannot be deleted.
 */
export async function tellNamesakes(
	{ run, input, directory }: Item,
	done: IDataObject,
): Promise<void> {
	const { board_name: name } = input.body;
	if (name === undefined) return;
	const names = (await directory.namesIfShown('board')) ?? new Map<string, string>();
	const same = [...names].filter(
		([id, each]) => id !== String(done.board_id) && isSameName(each, name),
	);
	if (same.length === 0) return;
	const ids = same.map(([id]) => id).join(', ');
	run.summary.ofOperation.add(`Another board has this name, too: see board_id ${ids}.`);
}
