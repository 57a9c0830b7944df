import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { CommunityEvent } from '../../nodes/CommunityPlatformTrigger/event.ts';
import { bodyOf, entitiesOf, readEvent } from '../../nodes/CommunityPlatformTrigger/event.ts';
import { toItem } from '../../nodes/shared/events.ts';

const member = { user_id: 7, sid: 'ab', msid: '7.ab', first_name: 'Ada' };
const joined = (entities: IDataObject = { user: [member] }): CommunityEvent =>
	({ event: 'member.joined', job_id: 42, entities }) as CommunityEvent;
const keys = (event: object) => entitiesOf(event as CommunityEvent).map(({ key }) => key);

const kinds = fc.oneof(fc.constantFrom('user', 'post', '__proto__', 'event'), fc.string());
const values = fc.jsonValue({ maxDepth: 1 });
const records = fc.array(fc.dictionary(kinds, values, { maxKeys: 3 }), { maxLength: 3 });

describe('body of a delivery', () => {
	it('is an event of which items can be made, or refused with a reason', () => {
		const anyBody = fc.oneof(
			fc.record({
				event: fc.string({ minLength: 1 }),
				job_id: fc.oneof(fc.integer(), values),
				entities: fc.dictionary(kinds, fc.oneof(records, records, values), { maxKeys: 3 }),
			}),
			fc.anything(),
		);
		let accepted = 0;
		const property = fc.property(anyBody, (body) => {
			const read = readEvent(body);
			if (typeof read === 'string') return expect(read).not.toBe('');
			accepted++;
			const envelope = { event: 'e', job_id: 1, received_at: '', dedupe_key: 'k' };
			for (const entity of entitiesOf(read)) {
				expect(toItem(envelope, entity)).toMatchObject(envelope);
				expect(typeof entity.key).toBe('string');
			}
		});
		fc.assert(property, { numRuns: 1000 });
		expect(accepted).toBeGreaterThan(100);
	});

	it.each<[unknown, string]>([
		[undefined, 'JSON object'],
		[[joined()], 'JSON object'],
		[{ ...joined(), event: ' ' }, '"event"'],
		[{ ...joined(), entities: [] }, '"entities"'],
		[joined({ user: member }), '"entities.user"'],
		[joined({ user: [null] }), '"entities.user"'],
		[joined({ user: [] }), '"entities.user"'],
		[joined({}), '"entities.user"'],
		[joined({ user: [member], post: 1 }), '"entities.post"'],
	])('%j is refused', (body, named) => {
		expect(readEvent(body)).toContain(named);
	});

	it('is read as JSON, but integers beyond 2^53 are text, so that they keep their digits', () => {
		const texts = fc.constantFrom('12345678901234567890', '"', '\\', ':-9007199254740993,', '\n');
		const text = fc.array(texts).map((each) => each.join(''));
		const property = fc.property(
			fc.array(fc.oneof(text, fc.jsonValue({ maxDepth: 3 }))),
			(body) => {
				const read = (json: string) => bodyOf(Buffer.from(json));
				const integers = ',9007199254740991,9007199254740992,-12345678901234567890]';
				const kept = [9007199254740991, '9007199254740992', '-12345678901234567890'];
				const json = JSON.stringify([body, 1.2345678901234567]).slice(0, -1) + integers;
				const digits = (_key: string, each: unknown) =>
					Number.isInteger(each) && !Number.isSafeInteger(each) && !String(each).includes('e')
						? String(each)
						: each;
				const expected = JSON.parse(
					JSON.stringify([body, 1.2345678901234567]),
					digits,
				) as unknown[];
				expect(read(json)).toEqual([...expected, ...kept]);
			},
		);
		fc.assert(property, { numRuns: 500 });
	});
});

describe('deduplication key', () => {
	it('is made of event, job and object, and of nothing else where there is a job', () => {
		const entities = {
			user: [
				{ ...member, first_name: 'Changed' },
				{ ...member, msid: '8.cd' },
			],
			post: [{ post_id: 3 }],
			poll: [{ poll_id: 5 }, { id: 6 }],
		};
		const expected = ['7.ab', '8.cd', 'post:3', 'poll:5', 'poll:6'];
		expect(keys(joined(entities))).toEqual(expected.map((name) => `member.joined:42:${name}`));
	});

	it.each([[undefined], [null], [' '], [true], [{}]])(
		'differs without a job (%j) by event, member and what is said of the member',
		(job_id) => {
			const of = (user: IDataObject, event = 'member.joined') =>
				keys({ event, job_id, entities: { user: [user] } })[0];
			expect(of({ ...member })).toBe(of(member));
			expect(of(member)).toMatch(/^member\.joined:[\da-f]{16}:7\.ab$/);
			// As after joining again.
			expect(of({ ...member, last_modified_at: '2026-01-02' })).not.toBe(of(member));
			expect(of({ ...member, msid: '8.ab' })).not.toBe(of(member));
			expect(of(member, 'member.joined_waitlist')).not.toBe(of(member));
		},
	);

	it('tells objects without an identifier apart, also if their identifier was rounded', () => {
		const post = [{ post_id: 2 ** 60 }, { post_id: 2 ** 60 }, { headline: 'a' }, { headline: 'b' }];
		expect(new Set(keys(joined({ user: [member], post }))).size).toBe(5);
		expect(keys(joined({ user: [member], post }))).toEqual(keys(joined({ user: [member], post })));
	});
});
