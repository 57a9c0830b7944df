import { text } from './shipped.mts';

/** A row of the table in docs/failures.md about the codes of connections. */
export interface ExplainedCode {
	code: string;
	reason: string;
	advice: string;
}

/** The table, one entry for each code. */
export function explainedCodes(): ExplainedCode[] {
	const [, table = ''] =
		/\| the code \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(text('docs/failures.md')) ?? [];
	return table
		.trim()
		.split('\n')
		.flatMap((row) => {
			const [codes, reason, advice] = row.split('|').slice(1);
			return [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => ({
				code,
				reason: reason.trim(),
				advice: advice.trim(),
			}));
		});
}
