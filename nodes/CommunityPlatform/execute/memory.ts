const MOST_MEMBERS = 100_000;
/** For so long, in milliseconds, nobody but those who joined since has to be looked at again. */
export const RECENT_MS = 10 * 60_000;

/** A member as last seen by a walk. */
export interface Seen {
	/** The msid, or else the user_id. */
	id: string;
	status: number;
	/** Username and email address, as far as the API shows them, as `nameKey` compares them. */
	names: string[];
	/** When the member was last read, in milliseconds since 1970: a listing shows no email address. */
	readAt?: number;
}

/**
 * Where the walks of one API key have last seen the members of a community. It says whom to read back and whom not to
 * read once more, and is never an answer by itself: so entries need no expiry (docs/decisions.md, A18).
 */
export class Memory {
	/** By user_id, those that were seen last at the end. */
	readonly members = new Map<string, Seen>();
	/** By status, when the last walk for email addresses began at the top, and how many pages deep its members were read. */
	readonly walks = new Map<number, { at: number; pages: number }>();

	see(userId: string, seen: Seen): void {
		this.members.delete(userId);
		this.members.set(userId, seen);
		const [oldest] = this.members.keys();
		if (this.members.size > MOST_MEMBERS) this.members.delete(oldest);
	}
}

const memories = new Map<string, Memory>();

/** The memory of a community and an API key, both named by `caller`. */
export function memoryOf(caller: string): Memory {
	const memory = memories.get(caller) ?? new Memory();
	memories.set(caller, memory);
	return memory;
}
