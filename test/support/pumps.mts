import { Script, createContext } from 'node:vm';
import { RegExpParser, type AST } from '@eslint-community/regexpp';

const LENGTH = 100_000;
// For such a text, a linear pattern takes a millisecond, and a quadratic one many seconds, so that V8 terminates it.
const LIMIT_MS = 1_000;
const match = new Script("text.replace(pattern, '')");

/** Whether a regular expression processes long adversarial texts within the time limit. */
export function isLinear(pattern: RegExp, limitMs = LIMIT_MS): boolean {
	const context = createContext({ pattern });
	try {
		for (const text of pumpsOf(pattern)) {
			Object.assign(context, { text });
			match.runInContext(context, { timeout: limitMs });
		}
		return true;
	} catch {
		return false;
	}
}

/** Whether a function processes a text in time. V8 terminates one that takes quadratic time. */
export function isReadInTime(read: (text: string) => unknown, text: string): boolean {
	try {
		new Script('read(text)').runInContext(createContext({ read, text }), { timeout: 5 * LIMIT_MS });
		return true;
	} catch {
		return false;
	}
}

/** A text that a part of a pattern matches, e.g. a space, and whether the part can be repeated. */
interface Part {
	example: string;
	isRepeated: boolean;
}

// A matching start, then repeated characters or pairs of them, and finally a character that does not match.
function pumpsOf({ source, flags }: RegExp): string[] {
	const unicode = flags.includes('u');
	const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode });
	const parts = partsOf(pattern.alternatives, false);
	const beginnings = new Set(['']);
	const repeated = new Set<string>();
	for (const [at, { example, isRepeated }] of parts.entries()) {
		const before = parts.slice(0, at).map((part) => part.example);
		if (!isRepeated) continue;
		beginnings.add(before.join(''));
		repeated.add(example);
		repeated.add(`${before.at(-1) ?? ''}${example}`);
		repeated.add(`${example}${parts[at + 1]?.example ?? ''}`);
	}
	return [...beginnings].flatMap((beginning) =>
		[...repeated].flatMap((part) => {
			const pump = part.repeat(Math.ceil(LENGTH / part.length));
			return ['\n', '\n\0', 'x!'].map((end) => beginning + pump + end);
		}),
	);
}

function partsOf(alternatives: AST.Alternative[], isRepeated: boolean): Part[] {
	return alternatives.flatMap(({ elements }) =>
		elements.flatMap((element) => partsOfElement(element, isRepeated)),
	);
}

function partsOfElement(element: AST.Element, isRepeated: boolean): Part[] {
	switch (element.type) {
		case 'Character':
			return [{ example: String.fromCodePoint(element.value), isRepeated }];
		case 'CharacterClass':
		case 'CharacterSet':
			return [{ example: exampleOf(element), isRepeated }];
		case 'Quantifier':
			return partsOfElement(element.element, isRepeated || element.max > 1000);
		case 'Group':
		case 'CapturingGroup':
			return partsOf(element.alternatives, isRepeated);
		default:
			return [];
	}
}

const EXAMPLES = [...' \n./\\:"=-[]()*#?%&@,;_a1AeEfx!é\0'];

function exampleOf(element: AST.CharacterClass | AST.CharacterSet): string {
	const matcher = new RegExp(element.raw, element.raw.includes('\\p') ? 'u' : 'i');
	return EXAMPLES.find((each) => matcher.test(each)) ?? 'x';
}
