import { Failure } from '../../nodes/shared/failure.ts';

interface Told {
	reason: string;
	advice: string;
}

/** The visible texts of a failure. */
export function failureOf(act: () => unknown): Told {
	try {
		act();
	} catch (error) {
		return told(error);
	}
	throw new Error('Nothing was refused');
}

function told(error: unknown): Told {
	expect(error).toBeInstanceOf(Failure);
	const { message, advice } = error as Failure;
	return { reason: message, advice };
}
