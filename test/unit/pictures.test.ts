import { keptPictures, shownPictures } from '../../dev/scripts/documents.mts';

describe('Pictures', () => {
	const shown = shownPictures();
	const kept = keptPictures();

	it('are there where a document shows them, with words that stand for them', () => {
		expect(shown.filter(({ isThere, alternative }) => !isThere || !alternative.trim())).toEqual([]);
	});

	it('are shown by a document if they are kept', () => {
		const paths = shown.map(({ path }) => path);
		expect(kept).not.toEqual([]);
		expect(kept.filter((path) => !paths.includes(path))).toEqual([]);
	});
});
