import { Failure } from '../../nodes/shared/failures/failure.ts';

/**
 * What a user is told when something is refused.
 *
 * @throws Error when nothing is
 */
export function failureOf(act: () => unknown): { reason: string; advice: string } {
	try {
		act();
	} catch (error) {
		expect(error).toBeInstanceOf(Failure);
		const { message, advice } = error as Failure;
		return { reason: message, advice };
	}
	throw new Error('Nothing was refused');
}
