import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { hashtag } from '../../sandbox/text.mts';
import { asked, byId, useSandbox } from '../support/community.mts';
import { addKnownRecords, STILL } from '../support/known.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

type Derive = (displayName: string) => string;
const PUNCTUATION = /[\p{P}\p{S}]/gu;
const withoutAccents: Derive = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '');

/** Ways in which an API can derive a hashtag from a name; none is documented (docs/decisions.md, A13). */
const DERIVATIONS: Record<string, Derive> = {
	'what the sandbox does': hashtag,
	'nothing but the case': (text) => text,
	'white space removed': (text) => text.replace(/\s/g, ''),
	'white space made dashes': (text) => text.replace(/\s+/g, '-'),
	'white space made underscores': (text) => text.replace(/\s/g, '_'),
	'punctuation removed': (text) => text.replace(PUNCTUATION, ''),
	'both removed': (text) => text.replace(PUNCTUATION, '').replace(/\s/g, ''),
	'both made single dashes': (text) => text.replace(/[\s\p{P}\p{S}]+/gu, '-'),
	'some punctuation removed': (text) => text.replace(/[-!&.]/g, ''),
	'a hash sign before it': (text) => `#${text.replace(/\s/g, '')}`,
	'accents removed': (text) => withoutAccents(text).replace(/\s/g, ''),
	'plain letters and digits': (text) => withoutAccents(text).replace(/[^\p{L}\p{N}]/gu, ''),
	'characters decomposed': (text) => text.normalize('NFD'),
	'characters composed': (text) => text.normalize('NFC'),
};

/** Ways that keep something else than letters and digits. */
const OTHERS: Record<string, Derive> = {
	'signs made words': (text) => text.replace(/&/g, 'and').replace(/\+/g, 'plus'),
	'cut off': (text) => text.slice(0, 8),
	'umlauts spelled out': (text) => text.replace(/[üÜ]/g, 'ue'),
	'a number behind it': (text) => `${text}2`,
	'something of its own': () => 'howto',
};

const words = fc.constantFrom(
	...[
		'Weekly',
		'Round',
		'up',
		'Café',
		'Cafe\u0301',
		'Über',
		'İzmir',
		'हिन्दी',
		'日本語',
		'x²',
		'№5',
	],
	...['2024', 'don’t', 'C++', 'R&D', '🎉', '❤️', 'ﬁrst', 'NEWS'],
);
const between = fc.constantFrom(' ', '-', '_', '. ', '/', '! ', ' & ', '');
const displayNames = fc
	.array(fc.tuple(words, between), { minLength: 1, maxLength: 4 })
	.map((pairs) => pairs.flat().join('').trim())
	.filter((text) => hashtag(text).replace(/[_-]/g, '') !== '');

const recolor: INodeParameters = {
	...{ resource: 'tag', operation: 'update', tagId: byId('9400') },
	updateFields: { backColor: '#abcdef' },
};

/** The tag as it would be if its displayed name had been typed. */
function typed(display_name: string, derive: Derive) {
	const { community } = sandbox;
	community.tagName = (text) => derive(text).toLowerCase();
	const tag = community.tags.get(9400);
	if (!tag) throw new TypeError('the known tag is missing');
	Object.assign(tag, {
		name: community.tagName(display_name),
		display_name,
		back_color: '#000000',
	});
	sandbox.requests.clear();
	return { ...tag };
}

const stored = () => sandbox.community.tags.get(9400);

describe('with only its colour changed, a tag keeps its name and how that is shown', () => {
	it.each(Object.entries(DERIVATIONS))('%s', async (_, derive) => {
		await fc.assert(
			fc.asyncProperty(displayNames, async (displayName) => {
				const before = typed(displayName, derive);
				const { error } = await runNode(sandbox, recolor);
				expect(error).toBeUndefined();
				expect(asked(sandbox)).toEqual(['GET /api/v1/tags/9400', 'PUT /api/v1/tags/9400']);
				expect(stored()).toEqual({ ...before, back_color: '#abcdef' });
			}),
			{ numRuns: 12, examples: [['Weekly Round-Up'], ['Weekly Round-Up! ❤️ Café']] },
		);
	});
});

describe('it does so or nothing is written, and the user is told', () => {
	it.each(Object.entries(OTHERS))('%s', async (_, derive) => {
		let refused = 0;
		await fc.assert(
			fc.asyncProperty(displayNames, async (displayName) => {
				const before = typed(displayName, derive);
				const { error } = await runNode(sandbox, recolor);
				if (!error) {
					expect(stored()).toEqual({ ...before, back_color: '#abcdef' });
					return;
				}
				refused++;
				expect(asked(sandbox)).toEqual(['GET /api/v1/tags/9400']);
				expect(stored()).toEqual(before);
				expect(error.message).toContain(`"${before.name}"`);
				expect(error.message).toContain(`"${displayName}"`);
				expect(error.description).toContain('"Name" under "Update Fields"');
			}),
			{ numRuns: 12, examples: [['Über R&D guides 2024']] },
		);
		expect(refused).toBeGreaterThan(0);
	});
});

it('sends the name that the user gives for one that cannot be kept', async () => {
	typed('How-to guides 2024', OTHERS['something of its own']);
	const { error } = await runNode(sandbox, {
		...recolor,
		updateFields: { name: 'Guides', backColor: '#abcdef' },
	});
	expect(error).toBeUndefined();
	expect(sandbox.requests.all[1].body).toMatchObject({
		name: 'Guides',
		description: 'For newcomers',
	});
});

it('keeps the name as it is written on Create or Update, however it is spelt in the item', async () => {
	typed('First-Steps', hashtag);
	const { items, error } = await runNode(sandbox, {
		...{ resource: 'tag', operation: 'upsert', name: 'FIRST-steps' },
		additionalFields: { backColor: '#abcdef' },
	});
	expect(error).toBeUndefined();
	expect(sandbox.requests.matching('PUT')[0].body).toMatchObject({ name: 'First-Steps' });
	expect(items[0].json).toMatchObject({ display_name: 'First-Steps', created: false });
});
