import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { User } from '../../sandbox/records.mts';
import type { SandboxOptions } from '../../sandbox/server.mts';
import { asked, asNewcomer, useSandbox, withoutBackoff } from './community.mts';
import { runNode, type RunOptions, type RunResult } from './engine.mts';
import { getNamed } from './operations.mts';

/** The IDs of the members in the output, with the reason instead of an ID for a failed item. */
export const msidsIn = ({ items, error }: Pick<RunResult, 'items' | 'error'>): unknown[] =>
	error ? [error.message] : items.map(({ json }) => json.msid ?? json.error);

/** A community of several pages for the tests of a file, and a new key for each of them, which remembers no member. */
export function useMembers(options: SandboxOptions = {}) {
	const sandbox = useSandbox({ members: 65, largestPage: 20, ...options });
	withoutBackoff();
	let caller = asNewcomer();
	beforeEach(() => {
		caller = asNewcomer();
	});
	/** Runs an operation like the next event of a workflow. Only its requests are recorded. */
	const run = async (parameters: INodeParameters, items?: IDataObject[], more?: RunOptions) => {
		sandbox.requests.clear();
		return await runNode(sandbox, parameters, { items, ...more, ...caller });
	};
	const lines = (pattern: RegExp) => asked(sandbox).filter((line) => pattern.test(line));
	return {
		sandbox,
		run,
		/** Reads members by name, without retries. Returns their IDs, or the reason for a failure. */
		find: async (by: 'email' | 'username', ...names: string[]) => {
			const items = names.map((name) => ({ name }));
			return msidsIn(await run(getNamed(by, { maxRetries: 0 }), items));
		},
		/** The active members, the newest first. */
		active: () => sandbox.community.members(10, 'joined', 'desc'),
		/** Changes fields as the API does not let anyone change them. */
		change: (member: User, fields: { [field in keyof User]?: User[field] | null }) =>
			void Object.assign(sandbox.community.user(member.msid), fields),
		pages: () => lines(/^GET .*\/users\?/),
		reads: () => lines(/^GET .*\/users\/\d/).length,
		writes: () => lines(/^(?!GET)/),
	};
}
