import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { CommunityEvent } from '../../nodes/CommunityPlatformTrigger/event.ts';
import { bodyOf, entitiesOf, readEvent } from '../../nodes/CommunityPlatformTrigger/event.ts';
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
const records = fc.array(fc.dictionary(kinds, fc.jsonValue()));

/** Events of any kind, such with one thing bent, and anything else. */
const anyBody = fc.oneof(
	fc.record({
		event: fc.string({ minLength: 1 }),
		job_id: fc.integer(),
		entities: fc.dictionary(kinds, records),
	}),
	fc.record(
		{
			event: fc.oneof(fc.constant('member.joined'), fc.jsonValue()),
			job_id: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
			entities: fc.oneof(fc.jsonValue(), fc.dictionary(kinds, fc.oneof(records, fc.jsonValue()))),
		},
		{ requiredKeys: [] },
	),
	fc.jsonValue(),
	fc.anything(),
);

describe('bodies', () => {
	it('are an event or refused with a reason, whatever they are', () => {
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
			{ numRuns: 5000 },
		);
		expect(accepted).toBeGreaterThan(500);
	});

	it.each<[unknown, string]>([
		[undefined, 'JSON object'],
		[null, 'JSON object'],
		['text', 'JSON object'],
		[[joined()], 'JSON object'],
		[{ ...joined(), event: '' }, '"event"'],
		[{ ...joined(), event: 5 }, '"event"'],
		[{ ...joined(), job_id: '42' }, '"job_id"'],
		[{ ...joined(), job_id: 4.2 }, '"job_id"'],
		[{ ...joined(), job_id: undefined }, '"job_id"'],
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

	it('is refused when it is nested without end, which would overflow what walks it', () => {
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

	it('come from every kind of object, known or announced', () => {
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

	it('differ in their key by event, job and member alone', () => {
		const [{ key }] = entitiesOf(joined());
		const other = (change: object) => entitiesOf({ ...joined(), ...change })[0].key;
		expect(other({ entities: { user: [{ ...member, first_name: 'Changed' }] } })).toBe(key);
		expect(other({ event: 'member.joined_waitlist' })).not.toBe(key);
		expect(other({ job_id: 43 })).not.toBe(key);
		expect(other({ entities: { user: [{ ...member, msid: '7.ac' }] } })).not.toBe(key);
	});
});
