import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from '../../dev/n8n/client.mts';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';
import type { User } from '../../sandbox/records.mts';
import type { Turn } from '../e2e/support/chat-model.mts';

const FOLDER = join(PROJECT_FOLDER, 'test/workflows');
const REPLAY = '.replay.json';

/** The replay of a kept workflow, and its actions. */
export interface Replay {
	/** The event that starts it. */
	start: 'by hand' | 'member.joined' | 'member.joined_waitlist' | 'polling' | 'MCP client' | 'form';
	/** The member who joins, or the values of the form. */
	member?: Partial<User>;
	/** The actions of its chat model, turn by turn. */
	model?: Turn[];
	/** The tools that its MCP client calls. */
	calls?: Array<[tool: string, args: object]>;
	/** Texts that the tools' answers contain. */
	sees?: string[];
	/** Its changing requests, each once, in any order. */
	sends: Sent[];
}

/** A request, with a star for a number or an msid. */
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
	/** Undefined if the workflow needs a service other than the community. */
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

/** The versions of the package with kept workflows. Empty before the first release. */
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
