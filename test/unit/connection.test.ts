import { brokenConnection } from '../../nodes/shared/transport/connection.ts';

const BROKE_OFF = 'The connection to the API broke before an answer came';
const NO_SERVER = 'There is no server at the base URL';
const REFUSED = 'Nothing accepts connections at the base URL';
const TOO_LATE = 'The API did not answer in time';
const CONNECTING = { syscall: 'connect' };

describe('why a request got no answer', () => {
	it.each([
		['its own code', { code: 'ENOTFOUND' }],
		['what older versions of n8n keep of it', { httpCode: 'ENOTFOUND' }],
		['what n8n has wrapped', { cause: { cause: { code: 'ENOTFOUND' } } }],
		['one of several addresses', { errors: [{}, {}, { code: 'ENOTFOUND' }] }],
		['one among what is no failure at all', { errors: [undefined, null, { code: 'ENOTFOUND' }] }],
	])('is read from %s', (_where, thrown) => {
		expect(brokenConnection(thrown).reason).toBe(NO_SERVER);
	});

	it.each([
		['nothing', undefined],
		['text', 'ENOTFOUND'],
		['a code that is no text', { code: ['ENOTFOUND'] }],
		['an HTTP code that is no text', { httpCode: ['ENOTFOUND'] }],
		['a name that is no text', { name: ['SsrfBlocked'] }],
		['a code that begins like another one', { code: 'ENOTFOUNDS' }],
		['a code that ends like another one', { code: 'XECONNREFUSED' }],
		['a code with more behind it', { code: 'ECONNREFUSED2' }],
		['a time that is over for something else', { code: 'ETIMEDOUTS' }],
	])('is not known from %s', (_what, thrown) => {
		expect(brokenConnection(thrown)).toMatchObject({
			reason: BROKE_OFF,
			outcome: { kind: 'lost', isTransient: true },
		});
	});

	it('is read ten layers deep, so that circular causes end', () => {
		const wrapped = (layers: number): object =>
			layers === 1 ? { code: 'ENOTFOUND' } : { cause: wrapped(layers - 1) };
		expect(brokenConnection(wrapped(10)).reason).toBe(NO_SERVER);
		expect(brokenConnection(wrapped(11)).reason).toBe(BROKE_OFF);
		const itself: { cause?: object } = {};
		itself.cause = itself;
		expect(brokenConnection(itself).reason).toBe(BROKE_OFF);
	});
});

it('is the proxy, where that ends the connection before it is made', () => {
	const message = 'Proxy connection ended before receiving CONNECT response';
	for (const thrown of [{ message }, { cause: { message } }]) {
		expect(brokenConnection(thrown)).toMatchObject({
			reason: 'The proxy ended the connection instead of passing it on',
			outcome: { kind: 'neverSent', isTransient: true },
		});
	}
	expect(brokenConnection({ message: 'Proxy connection ended' }).reason).toBe(BROKE_OFF);
});

describe('a name with several addresses', () => {
	const several = (...errors: object[]) => ({ code: 'ETIMEDOUT', errors });

	it('is read of five of them', () => {
		const known = { code: 'ENOTFOUND' };
		expect(brokenConnection(several({}, {}, {}, {}, known)).reason).toBe(NO_SERVER);
		expect(brokenConnection(several({}, {}, {}, {}, {}, known)).reason).toBe(TOO_LATE);
	});

	it('is read also where each is wrapped once more', () => {
		const wrapped = (code: string) => ({ cause: { code } });
		const codes = ['ETIMEDOUT', 'ETIMEDOUT', 'ETIMEDOUT', 'ECONNREFUSED'];
		expect(brokenConnection(several(...codes.map(wrapped))).reason).toBe(REFUSED);
	});
});

describe('a request that was never sent', () => {
	it.each(['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'])(
		'is one whose connection ended with %s while it was made',
		(code) => {
			const outcome = { kind: 'neverSent', isTransient: true };
			expect(brokenConnection({ code, ...CONNECTING })).toMatchObject({ reason: REFUSED, outcome });
			const later = { reason: BROKE_OFF, outcome: { kind: 'lost', isTransient: true } };
			expect(brokenConnection({ code, syscall: 'read' })).toMatchObject(later);
			// One that only looks like it tells no more than that nothing was sent.
			const other = { reason: BROKE_OFF, outcome };
			expect(brokenConnection({ code: `X${code}`, ...CONNECTING })).toMatchObject(other);
			expect(brokenConnection({ code: `${code}X`, ...CONNECTING })).toMatchObject(other);
		},
	);

	it('is one whose connection took too long to make, and no other that took too long', () => {
		const notReached = { reason: TOO_LATE, outcome: { kind: 'neverSent' } };
		expect(brokenConnection({ code: 'ETIMEDOUT', ...CONNECTING })).toMatchObject(notReached);
		for (const code of ['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT']) {
			const lost = { reason: TOO_LATE, outcome: { kind: 'lost' } };
			expect(brokenConnection({ code })).toMatchObject(lost);
		}
		for (const code of ['XETIMEDOUT', 'ETIMEDOUTX']) {
			expect(brokenConnection({ code, ...CONNECTING }).reason).toBe(BROKE_OFF);
		}
	});
});
