import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

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

// Legible on white and on black, and told apart by those who see few colours.
const TEXT = '#7d8590';
const COLOURS = ['#ea4b71', '#4c8dd6', '#b58900', '#2f9e76', '#8a63d2'];
const TITLE = { fontSize: 15, offset: 14 };
const LABEL_WIDTH = 240;

/** Horizontal bars, each group on a scale of its own; shorter is better. */
export async function barChart(title: string, groups: Group[]): Promise<string> {
	return await draw({
		title: { text: title, ...TITLE },
		vconcat: groups.map(({ caption, bars }) => ({
			title: caption,
			data: { values: bars },
			width: 340,
			height: { step: 20 },
			encoding: {
				x: { field: 'value', type: 'quantitative', axis: null, scale: { nice: false } },
				y: {
					field: 'label',
					sort: null,
					title: null,
					// One width for all groups, or their bars would not begin below each other.
					axis: { domain: false, minExtent: LABEL_WIDTH, maxExtent: LABEL_WIDTH },
				},
			},
			layer: [
				{
					mark: { type: 'bar', height: 13, cornerRadius: 2 },
					encoding: { color: { field: 'label', sort: null, legend: null } },
				},
				{
					mark: { type: 'text', align: 'left', dx: 8 },
					encoding: { text: { field: 'note' } },
				},
			],
		})),
		resolve: { scale: { x: 'independent', y: 'independent', color: 'independent' } },
	});
}

/** Lines over a common axis from zero. */
export async function lineChart(
	title: string,
	axes: { x: string; y: string },
	lines: Line[],
): Promise<string> {
	const values = lines.flatMap(({ label, points }) => points.map(([x, y]) => ({ label, x, y })));
	return await draw({
		title: { text: title, ...TITLE },
		data: { values },
		width: 690,
		height: 210,
		mark: { type: 'line', strokeWidth: 1.6 },
		encoding: {
			x: { field: 'x', type: 'quantitative', title: axes.x, axis: { grid: false } },
			y: { field: 'y', type: 'quantitative', title: axes.y },
			color: { field: 'label', sort: null, title: null, legend: { orient: 'top' } },
		},
	});
}

async function draw(spec: TopLevelSpec): Promise<string> {
	const text = { labelColor: TEXT, labelFontSize: 12, labelLimit: 0 };
	const lines = { domainColor: TEXT, gridColor: TEXT, gridOpacity: 0.2, ticks: false };
	const title = { titleColor: TEXT, titleFontSize: 12, titleFontWeight: 400 } as const;
	const config: TopLevelSpec['config'] = {
		font: 'system-ui, sans-serif',
		// What the page has.
		background: 'transparent',
		view: { stroke: null },
		range: { category: COLOURS },
		title: { color: TEXT, anchor: 'start', fontSize: 12 },
		axis: { ...text, ...title, ...lines, labelPadding: 6 },
		legend: text,
		text: { color: TEXT, fontSize: 12 },
	};
	const view = new View(parse(compile({ ...spec, config }).spec), { renderer: 'none' });
	return `${await view.toSVG()}\n`;
}
