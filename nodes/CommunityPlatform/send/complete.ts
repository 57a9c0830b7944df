import type { Directory } from './directory';
import type { Ready } from './item';

/** Whether something has to be looked up before an item can be sent. */
export function isIncomplete(item: Ready | undefined): item is Ready {
	if (!item) return false;
	return item.input.unknown.length > 0 || item.input.values.includeRoleName === true;
}

/**
 * Looks up what an item's parameters refer to, and the names that its output is to have.
 *
 * @throws Failure when nothing or more than one thing is meant, or the API does not tell; Stopped
 */
export async function complete(item: Ready, directory: Directory): Promise<void> {
	const { unknown, values } = item.input;
	for (const { references, complete: put } of unknown) {
		put(await Promise.all(references.map(async (each) => await directory.idOf(each))));
	}
	if (values.includeRoleName === true) item.roleNames = await directory.roleNames();
}
