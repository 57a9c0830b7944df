/** An answer to a delivery, in JSON; the message of a 400 also says why. */
export interface Answer {
	status: number;
	message: string;
}

/** Every answer of the webhook trigger (docs/triggers.md, "What the community gets as an answer"). */
export const ANSWERS = {
	accepted: { status: 200, message: 'Event accepted' },
	notSelected: { status: 200, message: 'Event not selected' },
	notAnEvent: { status: 400, message: 'Not an event' },
	wrongSecret: { status: 401, message: 'The secret is missing or wrong' },
	wrongAddress: { status: 403, message: 'This address is not on the IP allowlist' },
	notCheckable: { status: 503, message: 'The secret cannot be checked right now' },
} satisfies Record<string, Answer>;
