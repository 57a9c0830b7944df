import { table } from '../tools/table.mts';
import type { Limit } from './limits.mts';
import type { Measured } from './measure.mts';

// Timings vary on a machine that does other things as well: only a multiple counts as a difference.
const SLACK = 2;

/** A line of the table, and which bounds do not hold. */
export interface Row {
	cells: string[];
	broken: string[];
	/** The bound on the time, where that does not hold: what keeps the machine busy can be the reason. */
	slow?: string;
}

/** @param seconds what the rows before took, by name */
export function rowOf(limit: Limit, measured: Measured, seconds: Map<string, number>): Row {
	const { name, updates, aim, mostRefused = 0 } = limit;
	const { refused, failed, applied, twice } = measured;
	const least = typeof limit.least === 'string' ? seconds.get(limit.least) : limit.least;
	const times = least ? measured.seconds / least : NaN;
	const isOnce = applied === updates && twice === 0;
	const isSlow = times > SLACK * (aim?.times ?? Infinity);
	const broken = [
		refused > mostRefused ? `${percent(refused)} refused` : '',
		failed > 0 ? `${failed} failed` : '',
		isOnce ? '' : `${applied} of ${updates} applied, ${twice} more than once`,
	];
	return {
		cells: [
			name,
			String(updates),
			`${measured.seconds.toFixed(2)} s`,
			Number.isNaN(times) ? '' : times.toFixed(2),
			aim ? String(aim.times) : '',
			percent(refused),
			aim?.refused ? percent(aim.refused) : '',
			isOnce ? 'yes' : 'no',
			String(failed),
		],
		broken: broken.filter((text) => text !== '').map((text) => `${name}: ${text}`),
		slow: isSlow ? `${name}: ${times.toFixed(2)} times as long` : undefined,
	};
}

/** The table, for a terminal. */
export function tableOf(rows: Row[]): string {
	const head = ['Limit', 'Updates', 'Time', 'Times', 'Aim', 'Refused', 'Aim', 'Once', 'Failed'];
	return table(
		head,
		rows.map(({ cells }) => cells),
	);
}

function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}
