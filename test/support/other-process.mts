import type { remember } from '../../nodes/CommunityPlatformTrigger/remember.ts';

let processes = 0;

/** The same module again, as another process has it: with queues of its own. */
export async function otherRemember(): Promise<typeof remember> {
	// Not by vi.resetModules, which would load what other files share anew, too.
	const file = `../../nodes/CommunityPlatformTrigger/remember.ts?process=${++processes}`;
	const loaded = (await import(/* @vite-ignore */ file)) as { remember: typeof remember };
	return loaded.remember;
}
