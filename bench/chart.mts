/** A set of bars with a caption. */
export interface Group {
	caption: string;
	bars: Array<{ label: string; value: number; note: string }>;
}

/** A line through points, in the units of the axes. */
export interface Line {
	label: string;
	points: Array<[number, number]>;
}

const WIDTH = 760;
// Legible on white and on black, and told apart by those who see few colours.
const TEXT = '#7d8590';
const COLOURS = ['#ea4b71', '#4c8dd6', '#b58900', '#2f9e76', '#8a63d2'];
const ROW = 20;
const LABEL_WIDTH = 240;
const NOTE_WIDTH = 180;

/** Horizontal bars, each group on a scale of its own; shorter is better. */
export function barChart(title: string, groups: Group[]): string {
	const parts: string[] = [];
	let y = 44;
	for (const { caption, bars } of groups) {
		parts.push(text(0, y, caption, 'font-weight="bold"'));
		const longest = Math.max(...bars.map(({ value }) => value));
		for (const [index, { label, value, note }] of bars.entries()) {
			y += ROW;
			const length = Math.max(2, (value / longest) * (WIDTH - LABEL_WIDTH - NOTE_WIDTH));
			parts.push(
				text(LABEL_WIDTH - 10, y, label, 'text-anchor="end"'),
				`<rect x="${LABEL_WIDTH}" y="${y - 11}" width="${length.toFixed(1)}" height="13" rx="2" fill="${COLOURS[index % COLOURS.length]}"/>`,
				text(LABEL_WIDTH + length + 8, y, note),
			);
		}
		y += ROW * 1.6;
	}
	return svg(y, title, parts);
}

/** Lines over a common axis from zero. */
export function lineChart(title: string, axes: { x: string; y: string }, lines: Line[]): string {
	const height = 330;
	const box = { left: 56, right: WIDTH - 10, top: 76, bottom: height - 44 };
	const all = lines.flatMap(({ points }) => points);
	const most = { x: Math.max(...all.map(([x]) => x)), y: 1.1 * Math.max(...all.map(([, y]) => y)) };
	const atX = (x: number) => box.left + (x / most.x) * (box.right - box.left);
	const atY = (y: number) => box.bottom - (y / most.y) * (box.bottom - box.top);
	const parts = [
		`<path d="M${box.left} ${box.top}V${box.bottom}H${box.right}" fill="none" stroke="${TEXT}"/>`,
		text(box.right, height - 8, axes.x, 'text-anchor="end"'),
		text(0, box.top - 8, axes.y),
	];
	for (const x of ticks(most.x)) {
		parts.push(text(atX(x), box.bottom + 16, String(x), 'text-anchor="middle"'));
	}
	for (const y of ticks(most.y)) {
		parts.push(
			text(box.left - 6, atY(y) + 4, String(y), 'text-anchor="end"'),
			`<path d="M${box.left} ${atY(y).toFixed(1)}H${box.right}" stroke="${TEXT}" stroke-opacity="0.2"/>`,
		);
	}
	for (const [index, { label, points }] of lines.entries()) {
		const colour = COLOURS[index % COLOURS.length];
		const path = points.map(([x, y]) => `${atX(x).toFixed(1)} ${atY(y).toFixed(1)}`).join('L');
		parts.push(
			`<path d="M${path}" fill="none" stroke="${colour}" stroke-width="1.6"/>`,
			`<rect x="${box.left + index * 225}" y="${box.top - 44}" width="12" height="12" fill="${colour}"/>`,
			text(box.left + index * 225 + 17, box.top - 33, label),
		);
	}
	return svg(height, title, parts);
}

// Four to nine of them, at 1, 2 or 5 times a power of ten.
function ticks(most: number): number[] {
	const power = 10 ** Math.floor(Math.log10(most));
	const step =
		[0.1, 0.2, 0.5].map((part) => part * power * 2).find((each) => most / each < 10) ?? power;
	return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

function svg(height: number, title: string, parts: string[]): string {
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${Math.ceil(height)}" width="${WIDTH}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="12">`,
		text(0, 18, title, 'font-size="15" font-weight="bold"'),
		...parts,
		'</svg>',
		'',
	].join('\n');
}

function text(x: number, y: number, content: string, attributes = ''): string {
	return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${TEXT}" ${attributes}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
	return content.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
