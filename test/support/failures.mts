import { Failure } from '../../nodes/shared/transport/failure.ts';

interface Told {
	reason: string;
	advice: string;
}

/**
 * The texts of a failure that a user reads.
 *
 * @throws Error when nothing is
 */
export function failureOf(act: () => unknown): Told {
	try {
		act();
	} catch (error) {
		return told(error);
	}
	throw new Error('Nothing was refused');
}

/** The same of something that takes time. */
export async function failing(work: Promise<unknown>): Promise<Told> {
	return await work.then(() => {
		throw new Error('Nothing was refused');
	}, told);
}

function told(error: unknown): Told {
	expect(error).toBeInstanceOf(Failure);
	const { message, advice } = error as Failure;
	return { reason: message, advice };
}
