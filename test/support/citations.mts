import { documentText } from '../../scripts/documents.mts';

const NUMBERED = 'docs/decisions.md';
const CITATION =
	/\b((?:[\w-]+\/)*[\w-]+\.md), ((?:"[^"]+"|[AE]\d+)(?:(?:, | and )(?:"[^"]+"|[AE]\d+))*)/g;
const PART = /"([^"]+)"|([AE]\d+)/g;
/** Where comments pointed that no reader of the repository can open. */
const OLD_FORM = /\b(?:specification|contract|design),? (?:"|decision|engine fact|sections? )/gi;

/** The numbers of all decisions, e.g. `A8`. */
export function decisionNumbers(text = documentText(NUMBERED)): string[] {
	return [...text.matchAll(/^### ([AE]\d+) /gm)].map(([, number]) => number);
}

/**
 * The citations in a source file or a document that lead nowhere: to a page, a heading or a decision that is not
 * there, or in the form that pointed outside of the repository.
 *
 * @param text of the file
 */
export function deadCitations(text: string): string[] {
	// A citation may go on in the next line of a comment.
	const joined = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
	const cited = [...joined.matchAll(CITATION)].flatMap(([, page, parts]) =>
		[...parts.matchAll(PART)].map(([, heading, number]) => ({ page, heading, number })),
	);
	const dead = cited.filter(({ page, heading, number }) =>
		number === undefined
			? !headingsOf(page).includes(heading)
			: page !== NUMBERED || !decisionNumbers().includes(number),
	);
	return [
		...dead.map(({ page, heading, number }) => `${page}, ${number ?? `"${heading}"`}`),
		...(joined.match(OLD_FORM) ?? []),
	];
}

function headingsOf(page: string): string[] {
	try {
		return [...documentText(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
	} catch {
		return [];
	}
}
