/**
 * What a check says: as documented; not as documented, but nothing that the node needs; something that the node
 * rests on is different; a question that the documentation leaves open, answered; or not looked at.
 */
export type Verdict = 'as documented' | 'differs' | 'in the way' | 'answered' | 'not checked';

/** What the package does with a community, each of which rests on some of the checks. */
export const USES = {
	credential: 'Credential',
	records: 'Reading single records',
	listings: 'Get Many, also with Return All',
	names: 'Choosing boards, roles and tags by name',
	updates: 'Updates that keep other fields',
	polling: 'Community Platform Polling Trigger',
	confirming: 'Community Platform Trigger, confirming members',
} as const;

export type Use = keyof typeof USES;

/** One line of the report. */
export interface Finding {
	/** What was looked at, e.g. `Users`. */
	part: string;
	/** What was asked of it, e.g. `Page size honoured`. */
	question: string;
	verdict: Verdict;
	/** What was found, in a few words. No texts of members. */
	found: string;
	/** What is not safe to use where it is in the way. */
	uses: Use[];
}

/** Collects findings about one part of the API. */
export class Findings {
	readonly all: Finding[] = [];

	/** Gives a function that notes findings about a part. */
	about(part: string, uses: Use[]) {
		return (question: string, verdict: Verdict, found: string, concerned = uses) => {
			this.all.push({ part, question, verdict, found, uses: concerned });
		};
	}
}

/** Notes a finding about one part, see {@link Findings.about}. */
export type Note = ReturnType<Findings['about']>;
