import { table } from '../tools/table.mts';
import { type Finding, USES, type Use, type Verdict } from './finding.mts';
import type { Visit } from './visit.mts';

const TO_REPORT: Verdict[] = ['differs', 'in the way'];

/**
 * Says what a visit found: a table, then what is safe to use, then what to report.
 *
 * @returns lines, without the key, the address or any text of a member
 */
export function reportOf({ findings, requests, ended }: Visit): string {
	const rows = findings.map(({ part, question, verdict, found }) => [
		part,
		question,
		verdict,
		found,
	]);
	const lines = [table(['part', 'what', 'verdict', 'found'], rows), ''];
	lines.push(
		`${requests} GET ${requests === 1 ? 'request was' : 'requests were'} sent, and nothing else.`,
	);
	if (ended !== undefined) lines.push(`The visit ended early: ${ended}`);
	lines.push('', 'Safe to use:', ...verdictsOf(findings, ended !== undefined), '');
	const different = findings.filter(({ verdict }) => TO_REPORT.includes(verdict));
	if (different.length === 0) {
		const nothing =
			ended === undefined ? 'Nothing to report.' : 'Nothing to report, as far as the visit came.';
		return [...lines, nothing].join('\n');
	}
	lines.push('To report (docs/first-contact.md says where):');
	for (const { part, question, verdict, found } of different) {
		lines.push(`  - ${part}, ${question} (${verdict}): ${found}`);
	}
	return lines.join('\n');
}

/**
 * Decides what is safe to use.
 *
 * @param isPartial whether the visit ended before everything was looked at
 */
export function usesOf(findings: Finding[], isPartial = false): Record<Use, boolean | undefined> {
	const uses = Object.keys(USES) as Use[];
	const isAccepted = !findings.some(
		({ verdict, uses: [use] }) => verdict === 'in the way' && use === 'credential',
	);
	return Object.fromEntries(
		uses.map((use) => {
			const concerned = findings.filter((finding) => finding.uses.includes(use));
			if (concerned.some(({ verdict }) => verdict === 'in the way')) return [use, false];
			const isLookedAt = concerned.some(({ verdict }) => verdict === 'as documented');
			const isComplete = use === 'credential' || !isPartial;
			return [use, isAccepted && isLookedAt && isComplete ? true : undefined];
		}),
	) as Record<Use, boolean | undefined>;
}

const SAID = new Map<boolean | undefined, string>([
	[true, 'yes'],
	[false, 'no'],
	[undefined, 'not known'],
]);

function verdictsOf(findings: Finding[], isPartial: boolean): string[] {
	const uses = usesOf(findings, isPartial);
	return Object.entries(USES).map(([use, name]) => `  ${SAID.get(uses[use as Use])}: ${name}`);
}
