import { table } from '../../tools/table.mts';

/** Something that has to hold. */
export interface Check {
	claim: string;
	held: boolean;
	/** What was counted or read. */
	found: string;
}

/** Something that was measured. */
export interface Figure {
	what: string;
	value: string;
}

/** Collects what was checked and measured. */
export class Report {
	readonly checks: Check[] = [];
	readonly figures: Figure[] = [];

	/** Notes whether a claim held, and what was found. */
	check(claim: string, held: boolean, found: string): void {
		this.checks.push({ claim, held, found });
	}

	/** Notes a measured value, its unit included. */
	figure(what: string, value: string): void {
		this.figures.push({ what, value });
	}

	/** True once something was checked and all of it held. */
	get allHeld(): boolean {
		return this.checks.length > 0 && this.checks.every(({ held }) => held);
	}

	/** Both tables, for a terminal. */
	toText(): string {
		const checks = this.checks.map(({ claim, held, found }) => [held ? '✓' : '✗', claim, found]);
		const figures = this.figures.map(({ what, value }) => [what, value]);
		return [table(['', 'Check', 'Found'], checks), table(['Figure', 'Measured'], figures)].join(
			'\n\n',
		);
	}

	/** Both tables, for a document. */
	toMarkdown(): string {
		const checks = this.checks.map(({ claim, found }) => `| ${claim} | ${found} |`);
		const figures = this.figures.map(({ what, value }) => `| ${what} | ${value} |`);
		return [
			['| measured | |', '|---|---|', ...figures].join('\n'),
			['| checked | found |', '|---|---|', ...checks].join('\n'),
		].join('\n\n');
	}
}

/** Rounds for reading: two significant digits below ten, none behind the point above. */
export function perSecond(count: number, ms: number): string {
	const rate = (count * 1000) / ms;
	return `${rate.toFixed(rate < 10 ? 1 : 0)}/s`;
}
