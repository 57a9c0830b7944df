import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { preserveFields } from '../../nodes/CommunityPlatform/strategies/replace.ts';
import { hashtag } from '../../sandbox/text.mts';
import { parametersOf, withOptions } from '../../nodes/CommunityPlatform/actions/field.ts';

const fieldsOf = (kind: string) => {
	const { operations: all } = resources.find(({ value }) => value === kind) ?? { operations: [] };
	const fields = all.find(({ value }) => value === 'update')?.fields ?? [];
	return parametersOf(withOptions(fields)).filter(({ sentIn }) => sentIn === 'body');
};
const kept = (kind: string, record: IDataObject, body: IDataObject = {}) =>
	preserveFields(body, fieldsOf(kind), record);

describe('a tag', () => {
	type Derive = (displayName: string) => string;
	const punctuation = /[\p{P}\p{S}]/gu;
	const plain: Derive = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '');
	/** Possible derivations of a hashtag from a name. None is documented (docs/decisions.md, A13). */
	const derivations: Derive[] = [
		hashtag,
		(text) => text,
		(text) => text.replace(/\s/g, ''),
		(text) => text.replace(/\s+/g, '-'),
		(text) => text.replace(/\s/g, '_'),
		(text) => text.replace(punctuation, ''),
		(text) => text.replace(/[\s\p{P}\p{S}]+/gu, '-'),
		(text) => `#${text.replace(/\s/g, '')}`,
		(text) => plain(text).replace(/[^\p{L}\p{N}]/gu, ''),
		(text) => text.normalize('NFD'),
		(text) => text.normalize('NFC'),
	];
	const words = fc.constantFrom(
		...['Weekly', 'Round', 'up', 'Café', 'Cafe\u0301', 'Über', 'İzmir', 'हिन्दी', '日本語', 'x²'],
		...['2024', 'don’t', 'C++', 'R&D', '🎉', '❤️', 'ﬁrst', 'NEWS'],
	);
	const between = fc.constantFrom(' ', '-', '_', '. ', '/', '! ', ' & ', '');
	const displayNames = fc
		.array(fc.tuple(words, between), { minLength: 1, maxLength: 4 })
		.map((pairs) => pairs.flat().join('').trim())
		.filter((text) => hashtag(text).replace(/[_-]/g, '') !== '');
	const typed = (display_name: string, derive: Derive) => ({
		name: derive(display_name).toLowerCase(),
		display_name,
	});

	it('keeps its name and display name for any derivation', () => {
		fc.assert(
			fc.property(displayNames, fc.constantFrom(...derivations), (displayName, derive) => {
				expect(kept('tag', typed(displayName, derive))).toEqual({ name: displayName });
			}),
			{ numRuns: 1000 },
		);
	});

	it.each([undefined, null, ''])(
		'keeps the stored name if the display name is %j',
		(display_name) => {
			expect(kept('tag', { name: 'howto', display_name } as never)).toEqual({ name: 'howto' });
		},
	);

	it('sends a name that is set', () => {
		const read = { name: 'rand-d', display_name: 'R&D' };
		expect(kept('tag', read, { name: 'R and D' })).toEqual({ name: 'R and D' });
		expect(kept('tag', { display_name: 'HowTo' })).toEqual({ name: 'HowTo' });
	});
});
