import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from '../../dev/n8n/client.mts';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';
import type { User } from '../../sandbox/records.mts';
import type { Turn } from '../e2e/support/chat-model.mts';

const FOLDER = join(PROJECT_FOLDER, 'test/workflows');
const REPLAY = '.replay.json';

/** How a workflow was replayed when it was kept, and what it did. */
export interface Replay {
	/** What sets it going. */
	start: 'by hand' | 'member.joined' | 'member.joined_waitlist' | 'polling' | 'MCP client' | 'form';
	/** Who joins then, or fills in the form. */
	member?: Partial<User>;
	/** What its chat model does, turn by turn. */
	model?: Turn[];
	/** The tools that its MCP client calls. */
	calls?: Array<[tool: string, args: object]>;
	/** What stands in what the tools answer. */
	sees?: string[];
	/** What it sends to change something, each once, in any order. */
	sends: Sent[];
}

/** A request; a star stands for a number or an msid. */
export interface Sent {
	method: string;
	path: string;
	body: unknown;
}

/** A workflow that was saved with a released version. */
export interface KeptWorkflow {
	/** The version of the package. */
	version: string;
	/** Its file name without `.json`. */
	name: string;
	workflow: WorkflowFile;
	/** Without one, it needs another service than the community. */
	replay?: Replay;
}

/** The workflows that are kept, the oldest versions first. */
export function keptWorkflows(): KeptWorkflow[] {
	return keptVersions().flatMap((version) =>
		readdirSync(join(FOLDER, version))
			.filter((file) => file.endsWith('.json') && !file.endsWith(REPLAY))
			.map((file) => {
				const name = file.slice(0, -'.json'.length);
				const replay = join(FOLDER, version, name + REPLAY);
				return {
					version,
					name,
					workflow: read<WorkflowFile>(join(FOLDER, version, file)),
					replay: existsSync(replay) ? read<Replay>(replay) : undefined,
				};
			}),
	);
}

/** The versions of the package of which workflows are kept: none before the first release. */
export function keptVersions(): string[] {
	const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) =>
		entry.isDirectory(),
	);
	return folders
		.map(({ name }) => name)
		.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

function read<T>(path: string): T {
	return JSON.parse(readFileSync(path, 'utf8')) as T;
}
