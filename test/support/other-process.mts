import { register } from 'tsx/cjs/api';
import type { deduplicate } from '../../nodes/CommunityPlatformTrigger/deduplicate.ts';

const FILE = '../../nodes/CommunityPlatformTrigger/deduplicate.ts';

let processes = 0;

/** The same module again, as another process has it: with queues of its own. */
export function otherDeduplicate(): typeof deduplicate {
	const other = register({ namespace: `process-${++processes}` });
	const loaded = other.require(FILE, import.meta.url) as { deduplicate: typeof deduplicate };
	void other.unregister();
	return loaded.deduplicate;
}
