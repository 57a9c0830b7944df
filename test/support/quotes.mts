import { readdirSync } from 'node:fs';
import ts from 'typescript';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';
import { files, text } from './shipped.mts';

/** The documents for people. */
export const DOCUMENTS = ['.', 'docs', 'docs/api', 'examples', 'nodes/shared/limiter'].flatMap(
	(folder) =>
		readdirSync(`${PROJECT_FOLDER}/${folder}`)
			.filter((name) => name.endsWith('.md'))
			.map((name) => `${folder}/${name}`),
);
const CODE_AND_BOLD = /^ *```[^]*?^ *```|`[^`]*`|\*\*[^*]+\*\*/gm;
// Labels and options have Title Case, in which only these words are lower-case.
const LOWER_CASE_IN_TITLES = /^(?:an?|and|as|at|by|for|from|if|in|into|of|on|or|the|to|with)$/;
const ANYTHING = '…';

/** The failures and hints that a document quotes: sentences in italics. n8n's own texts are in quotation marks. */
export function quotesIn(document: string): string[] {
	const prose = text(document).replace(CODE_AND_BOLD, '');
	const italics = [...prose.matchAll(/\*([^*|]+?)\*/g)].map(([, each]) => each);
	return italics.map((each) => each.replace(/\s+/g, ' ')).filter(isSentence);
}

/** Whether a text is a sentence, rather than a label or an option. */
export function isSentence(quote: string): boolean {
	const words = wordsOf(quote.replace(/\([^)]*\)/g, ''));
	const isOfSentence = (word: string) => /^[a-z]/.test(word) && !LOWER_CASE_IN_TITLES.test(word);
	return words.length > 3 && words.some(isOfSentence);
}

/** The words of a text. Placeholders, numbers and values in quotation marks become an ellipsis. */
function wordsOf(sentence: string): string[] {
	const general = sentence.replace(/(?<![\p{L}\p{N}])(?:'[^']+'|"[^"]+"|\d[\d,.]*)/gu, ANYTHING);
	return general.match(/…|[^\s….]+/g) ?? [];
}

const sentencesOf = (words: string) => words.split(/(?<=[.!?])\s+/).map(wordsOf);

/**
 * The sentences of the published sources, as words. An expression in a template becomes an ellipsis. A sentence that is
 * mostly expressions would fit every quote, so it is left out.
 */
const shipped = files.flatMap(sentencesIn).filter((words) => {
	const expressions = words.filter((word) => word === ANYTHING).length;
	return words.length > 2 * expressions;
});

function sentencesIn(file: string): string[][] {
	const nodes: ts.Node[] = [ts.createSourceFile(file, text(file), ts.ScriptTarget.Latest, true)];
	// Grows during the loop.
	for (const node of nodes) node.forEachChild((child) => void nodes.push(child));
	return nodes.flatMap((node) => {
		if (ts.isStringLiteralLike(node)) return sentencesOf(node.text);
		if (!ts.isTemplateExpression(node)) return [];
		const rest = node.templateSpans.map(({ literal }) => ANYTHING + literal.text);
		return sentencesOf([node.head.text, ...rest].join(''));
	});
}

// `badValue` and `notUsable` put a reason such as "is empty" behind these (nodes/shared/values.ts).
const BEFORE_A_REASON = ['The parameter …', '…'];

/** Whether the sources have each sentence of a quote. */
export function isShipped(quote: string): boolean {
	return sentencesOf(quote).every(isShippedSentence);
}

// In a quote, an ellipsis stands for any words, in the sources for one word.
function isShippedSentence(sentence: string[]): boolean {
	const reasons = BEFORE_A_REASON.map(wordsOf)
		.filter((before) => before.every((word, at) => word === sentence[at]))
		.map((before) => sentence.slice(before.length));
	return [sentence, ...reasons].some((each) => shipped.some((source) => fits(each, source)));
}

function fits([word, ...words]: string[], source: string[]): boolean {
	if (word === undefined) return source.length === 0;
	if (word === ANYTHING) return source.some((_, at) => fits(words, source.slice(at))) || !words[0];
	return (word === source[0] || source[0] === ANYTHING) && fits(words, source.slice(1));
}
