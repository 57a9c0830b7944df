import { brokenConnection } from '../../nodes/shared/transport/connection.ts';
import { explainedCodes } from '../support/connection-codes.mts';

describe('what docs/failures.md says of the codes that a test of the credential shows', () => {
	it('is there for those that the hint of the base URL names', () => {
		expect(explainedCodes().map(({ code }) => code)).toEqual(
			expect.arrayContaining(['ENOTFOUND', 'EPROTO']),
		);
	});

	it.each(explainedCodes())('$code: is what the nodes say', ({ code, reason, advice }) => {
		expect(brokenConnection({ code, syscall: 'connect' })).toMatchObject({ reason, advice });
	});
});
