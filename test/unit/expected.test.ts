import fc from 'fast-check';
import type { Expected } from '../../nodes/shared/transport/expected.ts';
import { unexpectedIn } from '../../nodes/shared/transport/expected.ts';
import { repeatOf } from '../../nodes/shared/transport/repeat.ts';
import { isNamedBy } from '../../nodes/shared/records/identity.ts';
import { tag, user } from '../../nodes/shared/records/types.ts';

const ADA = { user_id: 7, sid: 'a.b', msid: '7.a.b' };
const inAnswer = (method: string, expects: Expected, body: unknown, statusCode = 200) =>
	unexpectedIn({ repeat: repeatOf(method), expects }, { statusCode, headers: {}, body });

it.each<[string, Expected, unknown, ReturnType<typeof unexpectedIn>]>([
	['GET', { record: tag, id: '7' }, { tag_id: 7 }, undefined],
	['GET', { record: tag, id: '7' }, { tag_id: '7', announced: 1 }, undefined],
	['GET', { record: tag, id: '7' }, { tag_id: 99 }, 'otherRecord'],
	['GET', { record: tag, id: '7' }, { name: 'x' }, 'somethingElse'],
	['GET', { record: tag, id: '7' }, { data: { tag_id: 7 } }, 'somethingElse'],
	['GET', { record: tag, id: '7' }, [{ tag_id: 7 }], 'somethingElse'],
	['GET', { record: tag, id: '7' }, {}, 'nothing'],
	['GET', { record: tag, id: '7' }, '', 'nothing'],
	['GET', { record: tag, id: '7' }, { message: 'OK' }, 'somethingElse'],
	['GET', { record: tag, id: '7' }, { error: 'x' }, 'refusal'],
	['GET', { record: tag, id: '7' }, { tag_id: 7, name: 'x', error: 'x' }, undefined],
	['PUT', { record: tag, id: '7' }, { message: 'OK' }, undefined],
	['PUT', { record: tag, id: '7' }, '', undefined],
	['PUT', { record: tag, id: '7' }, { message: 'ERR_V1 | no' }, 'refusal'],
	['PUT', { record: tag, id: '7' }, { tag_id: 8 }, 'otherRecord'],
	['POST', { record: tag }, { tag_id: 8 }, undefined],
	['POST', { record: tag }, { id: 8 }, 'somethingElse'],
	['GET', { list: tag }, [{ tag_id: 1 }, { name: 'x', back_color: '#ffffff' }], undefined],
	['GET', { list: tag }, [{ name: 'x' }], 'somethingElse'],
	['GET', { list: user }, [{ post_id: 5, created_at: 'x' }], 'somethingElse'],
	['GET', { record: user, id: '7' }, { user_id: 7, error: 'no such user' }, 'refusal'],
	['GET', { record: user, id: '7' }, { user_id: 7, status: 'error' }, 'refusal'],
	['GET', { record: user, id: '7' }, { user_id: 7, error: 'x', username: 'a' }, undefined],
	['GET', { record: tag, id: '9007199254740993' }, { tag_id: 9007199254740992 }, undefined],
	['PUT', { record: tag, id: '7' }, { message: 'Forbidden' }, 'somethingElse'],
	['PUT', { record: tag, id: '7' }, { message: 'OK', statusCode: 403 }, 'refusal'],
	['POST', { record: tag }, { success: false, message: 'OK' }, 'refusal'],
	['GET', { list: tag }, [], undefined],
	['GET', { list: tag }, [{ tag_id: 1 }, { user_id: 1 }], 'somethingElse'],
	['GET', { list: tag }, [1], 'somethingElse'],
	['GET', { list: tag }, {}, 'somethingElse'],
	['GET', { list: tag }, '', 'somethingElse'],
	['PATCH', 'acknowledgement', '', undefined],
	['PATCH', 'acknowledgement', 'OK', undefined],
	['PATCH', 'acknowledgement', true, undefined],
	['PATCH', 'acknowledgement', '<html>', 'webPage'],
	['PATCH', 'acknowledgement', { errors: ['x'] }, 'refusal'],
	['PATCH', 'acknowledgement', { status: 'error', message: 'no' }, 'refusal'],
	['PATCH', 'acknowledgement', { ok: false }, 'refusal'],
	['PATCH', 'acknowledgement', { title: 'Forbidden', status: 403 }, 'refusal'],
	['PATCH', 'acknowledgement', { data: { message: 'ERR_V1 | no' } }, 'refusal'],
	['PATCH', 'acknowledgement', [{ message: 'ERR_V1 | no' }], 'refusal'],
	['PATCH', 'acknowledgement', false, 'refusal'],
	['PATCH', 'acknowledgement', 'PHP Fatal error: x', 'refusal'],
	['PATCH', 'acknowledgement', '<br />\n<b>Fatal error</b>: x', 'refusal'],
	['PATCH', 'acknowledgement', '{"status":"FORB', 'refusal'],
	['PATCH', 'acknowledgement', { status: 15, code: 0, message: 'done' }, undefined],
])('%s, expecting %j, answered with %j', (method, expects, body, expected) => {
	expect(inAnswer(method, expects, body)).toBe(expected);
});

it('takes an empty answer for a list without records, and for no record', () => {
	expect(inAnswer('GET', { list: tag }, '', 204)).toBeUndefined();
	expect(inAnswer('GET', { record: tag }, '', 204)).toBe('nothing');
});

it.each([
	[ADA, '7.a.b', true],
	[ADA, '7', true],
	[ADA, '7.a', false],
	[ADA, '70', false],
	[{ user_id: 7 }, '7.a.b', true],
	[{ user_id: 7, sid: 'real' }, '7.forged', false],
	[{ msid: '7.forged', user_id: 8 }, '7.forged', false],
	[{ msid: '7', user_id: 7 }, '7', true],
	[{ user_id: 8 }, '7.a.b', false],
	[{ user_id: '7' }, '7', true],
	[{ msid: '', user_id: 7 }, '7.x', true],
	[{ msid: null }, '7.x', false],
	// As JSON gives 9007199254740993.
	[{ user_id: 9007199254740992 }, '9007199254740993', false],
	[{ user_id: 9007199254740992, msid: '9007199254740993.a' }, '9007199254740993.a', true],
])('whether %j is named by %s', (record, id, expected) => {
	expect(isNamedBy(record, user, id)).toBe(expected);
});

it('accepts only a record with the identifier, of any body', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.constantFrom('GET', 'PUT', 'POST'), (body, method) => {
			const unexpected = inAnswer(method, { record: tag, id: '7' }, body);
			const isIt = (body as { tag_id?: unknown } | null)?.tag_id === 7;
			if (method === 'GET') expect(unexpected === undefined).toBe(isIt);
		}),
		{ numRuns: 1000 },
	);
});
