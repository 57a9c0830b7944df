import { doorOf, files, imports, text } from '../support/shipped.mts';

// The names in the drawing, the inner folders before the outer ones.
const ROOMS: Array<[room: string, folder: string]> = [
	['resources', 'nodes/CommunityPlatform/resources'],
	['operation', 'nodes/CommunityPlatform/operation'],
	['send', 'nodes/CommunityPlatform/send'],
	['listSearch', 'nodes/CommunityPlatform/listSearch'],
	['node', 'nodes/CommunityPlatform'],
	['polling', 'nodes/CommunityPlatformPollingTrigger'],
	['trigger', 'nodes/CommunityPlatformTrigger'],
	['api', 'nodes/shared/api'],
	['paging', 'nodes/shared/paging'],
	['exchange', 'nodes/shared/exchange'],
	['pacing', 'nodes/shared/pacing'],
	['events', 'nodes/shared/events'],
	['records', 'nodes/shared/records'],
	['failures', 'nodes/shared/failures'],
	['builder', 'nodes/shared/builder'],
	['credentials', 'credentials'],
];

function roomOf(file: string): string | undefined {
	return ROOMS.find(([, folder]) => file.startsWith(`${folder}/`))?.[0];
}

function arrows(drawing: string): string[] {
	const lines = drawing.split('\n').map((line) => /^\t(\w+)\[.*\] --> (.+)$/.exec(line));
	return lines.flatMap((line) =>
		line ? line[2].split(' & ').map((to) => `${line[1]} --> ${to}`) : [],
	);
}

it('every file of what is shipped is in a room', () => {
	expect(files.length).toBeGreaterThan(100);
	expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
});

it('the drawing of the rooms has an arrow for every import from one to another, and no other', () => {
	const [, drawing] = /## The rooms.*?```mermaid\n(.*?)```/s.exec(text('CONTRIBUTING.md')) ?? [];
	const drawn = arrows(drawing);
	const real = imports
		.map(({ by, of }) => [roomOf(by), roomOf(of)])
		.filter(([by, of]) => of !== undefined && by !== of)
		.map(([by, of]) => `${by} --> ${of}`);
	expect(drawn.length).toBeGreaterThan(30);
	expect([...new Set(real)].sort()).toEqual(drawn.sort());
});

it('no room is reached into from outside where it has a door', () => {
	const past = imports.filter(({ by, of }) => {
		const door = doorOf(of);
		return roomOf(by) !== roomOf(of) && of !== door && files.includes(door);
	});
	expect(past).toEqual([]);
});

it('rooms import each other in one direction only', () => {
	const between = imports.flatMap(({ by, of }) => {
		const [from, to] = [roomOf(by), roomOf(of)];
		return from && to && from !== to ? [{ by: from, of: to }] : [];
	});
	expect(inCycles(between)).toEqual([]);
});

it('no file imports itself by way of others, types included', () => {
	expect(imports.length).toBeGreaterThan(300);
	expect(inCycles(imports)).toEqual([]);
});

it('finds a cycle', () => {
	const around = ['a', 'b', 'c'].map((by, index) => ({ by, of: 'bca'[index] }));
	expect(inCycles([...around, { by: 'a', of: 'd' }])).toEqual(['a', 'b', 'c']);
});

/** Files in import cycles, and files between two cycles. */
function inCycles(all: Array<{ by: string; of: string }>): string[] {
	let left = all;
	for (let isLess = true; isLess;) {
		// A file without imports among those left, or without importers, is in no cycle.
		const inner = left.filter(
			({ by, of }) => left.some((each) => each.by === of) && left.some((each) => each.of === by),
		);
		isLess = inner.length < left.length;
		left = inner;
	}
	return [...new Set(left.map(({ by }) => by))].sort();
}
