import type { IDataObject } from 'n8n-workflow';
import { readEvent } from '../../nodes/CommunityPlatformTrigger/body.ts';
import { entitiesOf, type CommunityEvent } from '../../nodes/shared/events.ts';

const member = { user_id: 7, sid: 'ab', msid: '7.ab', first_name: 'Ada' };
const joined = (entities: IDataObject = { user: [member] }): CommunityEvent =>
	({ event: 'member.joined', job_id: 42, entities }) as CommunityEvent;
const keys = (event: object) => entitiesOf(event as CommunityEvent).map(({ key }) => key);

describe('body of a delivery', () => {
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
});

describe('deduplication key', () => {
	it('consists only of event, job and object if there is a job', () => {
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

	it.each([
		['a:b c x', 'a b:c x'],
		['a b c:x', 'a b:c x'],
		['a%3Ab c x', 'a:b c x'],
	])('is different for event, job and kind %s and %s', (...pair) => {
		const [one, other] = pair.map((text) => {
			const [event, job_id, kind] = text.split(' ');
			return keys({ event, job_id, entities: { [kind]: [{ id: 1 }] } });
		});
		expect(one).not.toEqual(other);
	});

	it('is different for objects without an ID, even if their ID was rounded', () => {
		const post = [{ post_id: 2 ** 60 }, { post_id: 2 ** 60 }, { headline: 'a' }, { headline: 'b' }];
		expect(new Set(keys(joined({ user: [member], post }))).size).toBe(5);
		expect(keys(joined({ user: [member], post }))).toEqual(keys(joined({ user: [member], post })));
	});
});
