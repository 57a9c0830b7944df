import { Failure, firstOf, isDeclined, isGone, quoted } from '../../../shared/failure';
import { USER_STATUS } from '../../../shared/records/codes';
import { counted } from '../../../shared/text';
import { nameKey, type MemberKey } from '../../input/identifiers';
import { Nearest } from '../nearest';
import type { Memory } from './memory';
import { STATUSES, type Extent, type SoughtName } from './search';

const NAMES = { username: 'username', email: 'email address' };
const USERNAME_KEY = nameKey('username', '');

/** Explains why a name or an ID led to no member. */
export class NotFound {
	private readonly nearest = new Nearest(() =>
		this.memory
			.all()
			.flatMap(({ username }) => username?.slice(USERNAME_KEY.length) ?? [])
			.map((username) => [username, username]),
	);
	private readonly hidden: Partial<Record<MemberKey, Promise<boolean>>> = {};

	constructor(
		private readonly memory: Memory,
		private readonly isOwner: (id: string) => Promise<boolean>,
	) {}

	/** Returns the failure of a name that no member has. */
	async failure({ by, text, extent }: SoughtName, label: string): Promise<Failure> {
		if (await (this.hidden[by] ??= this.areHidden(by))) {
			const names = by === 'email' ? 'email addresses' : 'usernames';
			const other = by === 'email' ? 'username or the ' : '';
			return new Failure(
				`The owner of this API key cannot see the ${names} of other members`,
				`Enter the ${other}member ID (msid) in '${label}', or use the API key of a member who can see ${names}.`,
			);
		}
		const typed = nameKey(by, text).slice(USERNAME_KEY.length);
		const near = by === 'username' ? await this.nearest.to(typed) : '';
		return new Failure(
			`No member has the ${NAMES[by]} ${quoted(text)}`,
			[`Check the spelling in '${label}'.`, near, lookedAt(extent)].filter(Boolean).join(' '),
			isCertain(by, extent) ? { notFound: 'user', sought: text, near } : {},
		);
	}

	/** Whether the API returns such names only for the owner of the API key. */
	private async areHidden(by: MemberKey): Promise<boolean> {
		const all = this.memory.all();
		const [one, other] = all.filter((member) => member[by] !== undefined);
		if (other !== undefined || all.length < 2) return false;
		return one === undefined || (await this.isOwner(one.id));
	}
}

// A member who could not be read, or whose status the key cannot list, may have the name.
function isCertain(by: MemberKey, { statuses, unread }: Extent): boolean {
	return statuses.size === STATUSES.length && (by === 'username' || unread === 0);
}

function lookedAt({ statuses, members, unread }: Extent): string {
	const words = [...statuses].map((status) => USER_STATUS[status].toLowerCase()).join(', ');
	const among = statuses.size === STATUSES.length ? 'with any status' : `with the status ${words}`;
	const missed = unread > 0 ? ` ${unread} of them could not be read.` : '';
	return `The node checked ${counted(members.size, 'member')} ${among}.${missed}`;
}

/** The failure of a name that several members have. */
export function severalHave({ by, text }: SoughtName, label: string, ids: string[]): Failure {
	return new Failure(
		`${ids.length} members have the ${NAMES[by]} ${quoted(text)}`,
		`Enter one of these member IDs (msid) in '${label}': ${firstOf(ids)}.`,
	);
}

/** Returns what to throw if reading a member by the user_id failed. */
export function asUnknownUser(userId: string, error: unknown): unknown {
	// The API may not have the member, or may not accept a user_id from this caller (docs/api/openapi.yaml, `user.get`).
	if (!(error instanceof Failure && isDeclined(error))) return error;
	if (error.details.httpCode === 403) {
		const advice = `${error.advice} Or enter the full member ID (msid) instead of ${quoted(userId)}.`;
		return error.with({ advice });
	}
	return new Failure(
		`No member with the ID ${quoted(userId)} was found`,
		`Check the ID, or enter the full member ID (msid), e.g. 42.a1b2c3. The API answered: "${error.message}".`,
		{ ...error.details, ...(isGone(error) && { notFound: 'user' }), sought: userId },
	);
}
