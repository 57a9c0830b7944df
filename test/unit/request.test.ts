import fc from 'fast-check';
import type { Input } from '../../nodes/CommunityPlatform/input/input.ts';
import type { Operation } from '../../nodes/CommunityPlatform/actions/operation.ts';
import { updateMembers } from '../../nodes/CommunityPlatform/actions/board/updateMembers.ts';
import { pathFiller, requestMaker } from '../../nodes/CommunityPlatform/execute/requestMaker.ts';
import { Failure } from '../../nodes/shared/transport/failure.ts';

const noValue = fc.oneof(
	fc.constantFrom(undefined, null, NaN, 'undefined', 'null', 'NaN', []),
	fc.stringMatching(/^\s{0,3}$/),
);
const identifier = fc.stringMatching(/^\d{1,6}(\.[\w%:@+-]{1,8})?$/);

function inputOf(values: Input['values'], given: Partial<Input> = {}): Input {
	const labels = { boardId: 'Board' };
	const nothing = { body: {}, qs: {}, sendLabels: {}, identifiers: [], gaveNothing: [] };
	return { values, labels, ...nothing, ...given };
}

function pathFor(boardId: unknown): string {
	return requestMaker(updateMembers)(inputOf({ boardId })).path;
}

it('fills any identifier into one segment of the path', () => {
	fc.assert(
		fc.property(fc.oneof(identifier, fc.nat()), (id) => {
			const [, boards, segment, members, ...rest] = pathFor(id).split('/');
			expect([boards, decodeURIComponent(segment), members]).toEqual([
				...['boards', String(id), 'members'],
			]);
			expect(rest).toEqual([]);
		}),
	);
});

it('refuses a path with a segment that names nothing, and says which parameter it is', () => {
	fc.assert(
		fc.property(noValue, (value) => {
			expect(() => pathFor(value)).toThrow(
				expect.objectContaining({
					message: 'The parameter "Board" is empty',
					advice: 'Give a value in "Board".',
				}),
			);
		}),
	);
});

it('refuses one of several', () => {
	const refusal = (name: string) => new Failure(name, '');
	const fillPath = pathFiller('/a/{first}/{second}');
	expect(() => fillPath({ first: 1, second: '' }, refusal)).toThrow('second');
	expect(() => fillPath({ second: 1 }, refusal)).toThrow('first');
	expect(fillPath({ first: 1, second: 'x y' }, refusal)).toBe('/a/1/x%20y');
});

it('sends a fixed query beside that of the parameters, which takes precedence', () => {
	const request = { method: 'GET', url: '/boards', qs: { include: 'x', order: 'asc' } } as const;
	const requestOf = requestMaker({ ...updateMembers, request });
	expect(requestOf(inputOf({})).qs).toEqual({ include: 'x', order: 'asc' });
	expect(requestOf(inputOf({}, { qs: { order: 'desc' } })).qs).toEqual({
		include: 'x',
		order: 'desc',
	});
	expect(request.qs).toEqual({ include: 'x', order: 'asc' });
});

it('may be repeated as the operation says, else as HTTP promises of the method', () => {
	const repeatOf = (changes: Partial<Operation>) =>
		requestMaker({ ...updateMembers, ...changes })(inputOf({ boardId: 1 })).repeat;
	const request = { method: 'POST', url: '/search' } as const;
	expect(repeatOf({})).toBe('idempotent');
	expect(repeatOf({ request })).toBe('creating');
	expect(repeatOf({ request, repeat: 'safe' })).toBe('safe');
});
