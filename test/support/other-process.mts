import type { deduplicate } from '../../nodes/CommunityPlatformTrigger/deduplicate.ts';

let processes = 0;

/** The same module again, as another process has it: with queues of its own. */
export async function otherDeduplicate(): Promise<typeof deduplicate> {
	// Not by vi.resetModules, which would load what other files share anew, too.
	const file = `../../nodes/CommunityPlatformTrigger/deduplicate.ts?process=${++processes}`;
	const loaded = (await import(/* @vite-ignore */ file)) as { deduplicate: typeof deduplicate };
	return loaded.deduplicate;
}
