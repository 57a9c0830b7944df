import { Failure } from '../../shared/failure';
import { badValue } from '../../shared/values';

/** The refusal of an update that could clear fields, without their names, because a model would make values up for them. */
export function couldClear(advice: string, link: string): Failure {
	return new Failure(
		'This update could clear fields of the member that the API does not return',
		`Change the profile in the community. ${advice}`,
		{ link },
	);
}

// At least a sentence.
const ENOUGH_WORDS = 8;
// A Chinese or Japanese sign is a word.
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;

/** Refuses a text that leaves out most of the words of the text that it replaces, e.g. all but the new ones. */
export function refuseMostlyLost(whole: unknown, replacement: unknown, label: string): void {
	if (replacement === undefined) return;
	const [before, after] = [whole ?? '', replacement].map((text) => wordsIn(String(text)));
	if (before < ENOUGH_WORDS || 2 * after >= before) return;
	const advice =
		"Write the whole text with your change. 'Get' returns the current text. Only a person can shorten it so much.";
	throw badValue(label, 'leaves out most of the text that it replaces', advice);
}

function wordsIn(html: string): number {
	return html.replace(/<[^<>]*>|&#?\w+;/g, ' ').match(WORD)?.length ?? 0;
}
