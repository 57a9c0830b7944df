import type { Findings } from '../finding.mts';
import type { Json } from '../forms.mts';
import { described, isSuccess } from '../refusal.mts';
import { shownNames, shownUrl } from '../shown.mts';
import type { Answer, Visitor } from '../visitor.mts';

/** What was read so far, for the questions that the documentation leaves open. */
export interface Seen {
	boards: Json[];
	users: Json[];
	/** Posts, comments and replies. */
	contents: Json[];
	/** A member as it is read alone. */
	member?: Json;
}

/** Answers what the documentation leaves open, from what was read and with one request more. */
export async function answerQuestions(
	visitor: Visitor,
	findings: Findings,
	{ boards, users, contents, member }: Seen,
): Promise<void> {
	const note = findings.about('Left open', []);
	const [first] = users;
	if (first?.user_id !== undefined) {
		const answer = await visitor.get(`/api/v1/users/${String(first.user_id)}`);
		const question = 'A user read by number';
		const isSame = isSuccess(answer) && (answer.body as Json | null)?.msid === first.msid;
		const isRefused = answer.status >= 400 && answer.status < 500;
		if (isSame) note(question, 'answered', 'works, so this key has the LIST permission');
		else if (isRefused) note(question, 'answered', `only by msid: ${described(answer)}`);
		else note(question, 'not checked', described(answer));
	}
	const isList = boards.some(({ permission_for: roles }) => Array.isArray(roles));
	if (boards.length > 0) {
		note('Kinds of board', 'answered', listed(boards.map(({ board_type: type }) => type)));
		note('Who can post', 'answered', isList ? 'lists of role IDs' : 'codes');
	}
	if (member) {
		note('Keys of meta', 'answered', listed(Object.keys((member.meta ?? {}) as Json)));
		const description = member.user_description;
		if (description !== undefined) {
			note(
				'Description of a user',
				'answered',
				/<\w+/.test(String(description)) ? 'with HTML' : 'no HTML in this one',
			);
		}
	}
	if (contents.length > 0) {
		const elements = contents.flatMap(({ content }) =>
			[...String(content ?? '').matchAll(/<([a-z][a-z\d-]*)(?=[\s/>])/gi)].map(([, name]) =>
				name.toLowerCase(),
			),
		);
		note('HTML in content', 'answered', listed(elements));
	}
	const times = users.map(({ created_at: time }) => String(time));
	if (times.length > 0) {
		const isFractional = times.some((time) => /\.\d+Z$/.test(time));
		note('Times', 'answered', isFractional ? 'with fractions of a second' : 'in whole seconds');
	}
	noteServer(findings, visitor.answers);
}

// What a gateway in front says about itself and its limits.
function noteServer(findings: Findings, answers: Answer[]): void {
	const note = findings.about('Server', []);
	const names = answers.flatMap(({ headers }) => Object.keys(headers));
	const limits = names.filter((name) => /ratelimit|rate-limit|retry-after/.test(name));
	note('Rate limit headers', 'answered', listed(limits));
	const refused = answers.filter(({ status }) => status === 429 || status === 503).length;
	note('Asked to slow down', 'answered', `${refused} of ${answers.length} requests`);
	const byPath = new Map<string, number[]>();
	for (const { url, ms } of answers) {
		const kind = shownUrl(url)
			.split('?', 1)[0]
			.replace(/\/\d[^/]*/g, '/…');
		byPath.set(kind, [...(byPath.get(kind) ?? []), ms]);
	}
	for (const [kind, times] of byPath) {
		const sorted = times.sort((a, b) => a - b);
		const median = sorted[Math.floor(sorted.length / 2)];
		note(
			`Time of ${kind}`,
			'answered',
			`${Math.round(median)} ms, at most ${Math.round(sorted[sorted.length - 1])}`,
		);
	}
}

function listed(values: unknown[]): string {
	const names = values.filter((value) => value !== undefined).map(String);
	return names.length > 0 ? shownNames(names.sort()) : 'none';
}
