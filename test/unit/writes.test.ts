import { isWrittenSince, noteWrite } from '../../nodes/CommunityPlatform/run/writes';

function writeAt(time: number, ...records: string[]): void {
	const clock = jest.spyOn(performance, 'now').mockReturnValue(time);
	for (const each of records) noteWrite(each);
	clock.mockRestore();
}

const others = (count: number, name: string) =>
	Array.from({ length: count }, (_, at) => `${name} ${at}`);

it('remembers a change while thousands of other records are changed, and then forgets it', () => {
	writeAt(20, 'user 1', ...others(4_999, 'post'));
	expect(isWrittenSince('user 1', 10)).toBe(true);
	writeAt(30, ...others(10_000, 'tag'));
	expect(isWrittenSince('user 1', 10)).toBe(false);
});

it('compares with the latest of several changes, not with one before it', () => {
	writeAt(20, 'user 2', ...others(4_999, 'board'));
	expect(isWrittenSince('user 2', 30)).toBe(false);
	writeAt(40, 'user 2');
	expect(isWrittenSince('user 2', 30)).toBe(true);
});
