import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { CommunityEvent } from '../../nodes/CommunityPlatformTrigger/event.ts';
import {
	bodyOf,
	entitiesOf,
	jobIdOf,
	keyOf,
	readEvent,
} from '../../nodes/CommunityPlatformTrigger/event.ts';
import { toItem } from '../../nodes/shared/events/item.ts';
import { user } from '../../nodes/shared/records/types.ts';

const member = { user_id: 7, sid: 'ab', msid: '7.ab', first_name: 'Ada' };
const joined = (entities: IDataObject = { user: [member] }): CommunityEvent =>
	({ event: 'member.joined', job_id: 42, entities }) as CommunityEvent;

const envelope = {
	event: 'member.joined',
	job_id: 42,
	received_at: '2026-01-01T00:00:00.000Z',
	dedupe_key: 'k',
};

const kinds = fc.oneof(
	fc.constantFrom('user', 'post', '__proto__', 'constructor', 'event', 'toString'),
	fc.string(),
);
// Few and flat: what an event is depends on its upper levels alone, and ten of each at every level would
// make texts of 13 kB.
const values = fc.jsonValue({ maxDepth: 1 });
const records = fc.array(fc.dictionary(kinds, values, { maxKeys: 3 }), { maxLength: 3 });
const entitiesByKind = fc.dictionary(kinds, records, { maxKeys: 3 });

/** Events of any kind, such with one thing bent, and anything else. */
const anyBody = fc.oneof(
	fc.record({
		event: fc.string({ minLength: 1 }),
		job_id: fc.oneof(fc.integer(), fc.string(), values),
		entities: entitiesByKind,
	}),
	fc.record(
		{
			event: fc.oneof(fc.constant('member.joined'), values),
			job_id: fc.oneof(fc.integer(), fc.double(), values),
			entities: fc.oneof(values, fc.dictionary(kinds, fc.oneof(records, values), { maxKeys: 3 })),
		},
		{ requiredKeys: [] },
	),
	fc.jsonValue(),
	fc.anything(),
);

describe('bodies', () => {
	it('are an event or refused with a reason', () => {
		let accepted = 0;
		fc.assert(
			fc.property(anyBody, (body) => {
				const read = readEvent(body);
				if ('reason' in read) {
					expect(read.reason).not.toBe('');
					return;
				}
				accepted++;
				const entities = entitiesOf(read.event);
				for (const entity of entities) {
					expect(toItem(envelope, entity)).toMatchObject(envelope);
					expect(typeof entity.key).toBe('string');
				}
			}),
			{ numRuns: 2000 },
		);
		expect(accepted).toBeGreaterThan(300);
	});

	it.each<[unknown, string]>([
		[undefined, 'JSON object'],
		[null, 'JSON object'],
		['text', 'JSON object'],
		[[joined()], 'JSON object'],
		[{ ...joined(), event: '' }, '"event"'],
		[{ ...joined(), event: 5 }, '"event"'],
		[{ ...joined(), entities: [] }, '"entities"'],
		[joined({ user: member }), '"entities.user"'],
		[joined({ user: [member, 'x'] }), '"entities.user"'],
		[joined({ user: [null] }), '"entities.user"'],
		[joined({ user: [] }), '"entities.user"'],
		[joined({}), '"entities.user"'],
		[joined({ user: [member], post: 1 }), '"entities.post"'],
	])('%j is refused', (body, named) => {
		const read = readEvent(body);
		expect('reason' in read && read.reason).toContain(named);
	});

	it.each([[42], ['42'], ['a text'], [''], [4.2], [null], [undefined], [true], [[]], [{}]])(
		'are events whatever their job_id: %j',
		(job_id) => {
			expect(readEvent({ ...joined(), job_id })).toHaveProperty('event');
		},
	);

	it('is refused when it is nested so deeply that the stack would overflow', () => {
		let meta: IDataObject = {};
		for (let level = 0; level < 20_000; level++) meta = { meta };
		expect(readEvent(joined({ user: [{ ...member, meta }] }))).toEqual({
			reason: 'The body is nested too deeply',
		});
	});

	it('are read from text, too, and from bytes that n8n left unparsed', () => {
		const text = JSON.stringify(joined());
		expect(bodyOf({ body: joined() })).toEqual(joined());
		expect(bodyOf({ body: text })).toEqual(joined());
		expect(bodyOf({ rawBody: Buffer.from(text) })).toEqual(joined());
		expect(bodyOf({ body: '{"event":' })).toBeUndefined();
		expect(bodyOf({})).toBeUndefined();
	});
});

describe('items', () => {
	it('have every documented field of a member, null where absent', () => {
		const [entity] = entitiesOf(joined());
		const item = toItem(envelope, entity);
		expect(Object.keys(item)).toEqual([...Object.keys(envelope), 'user']);
		expect(Object.keys(item.user as object)).toEqual(user.fields);
		expect(item.user).toMatchObject({ ...member, last_name: null, email: null });
	});

	it('come from every kind of object, known or not', () => {
		const entities = entitiesOf(
			joined({
				user: [member, { ...member, user_id: 8, msid: '8.cd' }],
				post: [{ post_id: 3 }],
				poll: [{ poll_id: 5 }, { id: 6 }],
				event: [{ event_id: 1 }],
			}),
		);
		expect(entities.map(({ key }) => key)).toEqual([
			'member.joined:42:7.ab',
			'member.joined:42:8.cd',
			'member.joined:42:post:3',
			'member.joined:42:poll:5',
			'member.joined:42:poll:6',
			'member.joined:42:event:1',
		]);
		const items = entities.map((entity) => toItem(envelope, entity));
		expect(items[2].post).toMatchObject({ post_id: 3, headline: null });
		expect(items[3].poll).toEqual({ poll_id: 5 });
		// The name of the event stays, whatever kinds are announced.
		expect(items[5]).toEqual({ ...envelope, event_entity: { event_id: 1 } });
	});

	it('have keys that tell objects without an identifier apart by what they hold', () => {
		const keys = (record: IDataObject) =>
			entitiesOf({ ...joined({ badge: [record] }), event: 'badge.given' }).map(({ key }) => key);
		expect(keys({ name: 'a' })).toEqual(keys({ name: 'a' }));
		expect(keys({ name: 'a' })).not.toEqual(keys({ name: 'b' }));
	});

	it('have a deduplication key of event, job and member', () => {
		const [{ key }] = entitiesOf(joined());
		const other = (change: object) => entitiesOf({ ...joined(), ...change })[0].key;
		expect(other({ job_id: '42' })).toBe(key);
		expect(other({ entities: { user: [{ ...member, first_name: 'Changed' }] } })).toBe(key);
		expect(other({ event: 'member.joined_waitlist' })).not.toBe(key);
		expect(other({ job_id: 43 })).not.toBe(key);
		expect(other({ entities: { user: [{ ...member, msid: '7.ac' }] } })).not.toBe(key);
	});

	it.each([[undefined], [null], [''], [' '], [true], [{}]])(
		'without a job (%j) differ in their key by event, member and what is said of the member',
		(job_id) => {
			const of = (user: IDataObject, event = 'member.joined') =>
				entitiesOf({ event, job_id, entities: { user: [user] } } as CommunityEvent)[0].key;
			expect(of({ ...member })).toBe(of(member));
			expect(of(member)).toMatch(/^member\.joined:[\da-f]{16}:7\.ab$/);
			// As after joining again.
			expect(of({ ...member, last_modified_at: '2026-01-02' })).not.toBe(of(member));
			expect(of({ ...member, msid: '8.ab' })).not.toBe(of(member));
			expect(of(member, 'member.joined_waitlist')).not.toBe(of(member));
		},
	);

	it('without an object have keys of event and job, or of the whole body', () => {
		const key = (body: object) => keyOf({ event: 'x', entities: {}, ...body } as CommunityEvent);
		expect(key({ job_id: 2 })).toBe('x:2');
		expect(key({ sent: 1 })).toBe(key({ sent: 1 }));
		expect(key({ sent: 1 })).not.toBe(key({ sent: 2 }));
	});

	it.each([
		[42, 42],
		['42', '42'],
		['', ''],
		[null, null],
		[undefined, null],
		[{ a: 1 }, null],
	])('give the job_id %j as %j', (job_id, given) => {
		expect(jobIdOf({ ...joined(), job_id } as CommunityEvent)).toBe(given);
	});
});
