import fc from 'fast-check';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { ItemMaker } from '../../nodes/CommunityPlatformPollingTrigger/items.ts';
import { Failure } from '../../nodes/shared/failure.ts';
import { Cancelled, type Api, type ApiRequest } from '../../nodes/shared/transport/index.ts';
import { habits, rounds, Story, TIMES } from '../support/polling-story.mts';

it.each([
	[180, 40],
	[900, 6],
])(
	'members who join (up to %d at a time), leave and return between requests are returned once',
	async (most, stories) => {
		await fc.assert(
			fc.asyncProperty(fc.nat({ max: 200 }), habits, rounds(most), async (before, api, polls) => {
				const story = new Story(before, api);
				const old = new Set(story.steady());
				await story.poll();
				for (const round of polls) await story.poll(round);
				// Polls without events until one page is enough.
				story.happen({ kind: 'pause' });
				for (let quiet = 0; quiet < 8; quiet++) await story.poll();
				const returned = new Set(story.returned);
				const missing = story.steady().filter((id) => !old.has(id) && !returned.has(id));
				expect(missing).toEqual([]);
				expect(story.returned.filter((id) => old.has(id))).toEqual([]);
				// No member is returned twice.
				expect(story.returned).toHaveLength(returned.size);
				expect(story.requests).toBe(1);
			}),
			{ numRuns: stories * TIMES },
		);
	},
	60_000 * TIMES,
);

it('a trigger whose polls are all cut off finally reads no more than needed', async () => {
	const story = new Story(50, { pageSize: 20, hasHeader: true, isTieReversed: false });
	await story.poll();
	story.happen({ kind: 'join', count: 180, together: 1 });
	story.happen({ kind: 'pause' });
	for (let polls = 0; polls < 8; polls++) {
		await story.poll({ before: [], during: [], stopped: 6 });
	}
	expect(story.returned).toHaveLength(180);
	expect(story.requests).toBe(1);
});

/** The answer to a request for a member: a record, or what is thrown. */
const ANSWERS = {
	read: { first_name: 'read' },
	gone: new Failure('', '', { httpCode: 410 }),
	refused: new Failure('', '', { httpCode: 403 }),
	cut: new Cancelled('', { cause: new Failure('', '') }),
	unsent: new Cancelled(),
};
const answers = fc.array(
	fc.constantFrom(...(['refused', ...Object.keys(ANSWERS)] as Array<keyof typeof ANSWERS>)),
	{ maxLength: 30, size: 'max' },
);

it('a member who cannot be read is returned once: later as read, after ten polls as listed', async () => {
	const functions = {
		getMode: () => 'trigger',
		getNode: () => ({ parameters: {} }),
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'options.includeDetails' || fallback,
	} as unknown as IPollFunctions;
	// Each member joins at a poll of their own.
	await fc.assert(
		fc.asyncProperty(fc.array(answers, { maxLength: 4 }), async (all) => {
			const returned: unknown[] = [];
			let again: IDataObject[] = [];
			for (let poll = 0; poll < 40; poll++) {
				const send = async ({ path }: ApiRequest) => {
					const id = Number(path.split('/').at(-1));
					const answer = ANSWERS[all[id][poll - id] ?? 'read'];
					return answer instanceof Error ? await Promise.reject(answer) : { body: answer };
				};
				const api = { send, log: () => {}, cancellation: { isCancelled: true } } as unknown as Api;
				const found = poll in all ? [{ user_id: poll, first_name: 'listed' }] : [];
				const { items, unread } = await new ItemMaker(functions, api).make(found, {}, again);
				returned.push(...items.map(({ user_id, first_name }) => [user_id, poll, first_name]));
				again = JSON.parse(JSON.stringify(unread)) as IDataObject[];
			}
			const expected = all.flatMap((answers, id) => {
				let failed = 0;
				for (const [at, answer] of [...answers, 'read'].entries()) {
					if (answer === 'read') return [[id, id + at, 'read']];
					if (answer === 'gone' && at > 0) return [];
					if (answer !== 'unsent' && ++failed === 10) return [[id, id + at, 'listed']];
				}
				return [];
			});
			expect(returned).toHaveLength(expected.length);
			expect(returned).toEqual(expect.arrayContaining(expected));
		}),
		{ numRuns: 200 * TIMES },
	);
});
