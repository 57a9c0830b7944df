import type { UnresolvedInput } from '../../input/readInput';
import type { Reference } from '../../input/reference';
import type { Directory } from './directory';

/**
 * Resolves the references of an item: one parameter after another, the references of each at the same time.
 *
 * @returns the identifier of each reference
 * @throws Failure when a reference matches no record or several, or the API does not show the identifier; Stopped
 */
export async function resolveReferences(
	{ pending }: UnresolvedInput,
	directory: Directory,
): Promise<Map<Reference, string>> {
	const ids = new Map<Reference, string>();
	for (const { value } of pending) {
		await Promise.all(
			value.references.map(async (reference) => {
				ids.set(reference, await directory.idOf(reference));
			}),
		);
	}
	return ids;
}
