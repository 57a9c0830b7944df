import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { digestOf, isAmong, sentSecrets } from '../../nodes/CommunityPlatformTrigger/verify.ts';

const words = fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '');
/** How Node hands over a header that was sent in UTF-8. */
const asHeader = (text: string) => Buffer.from(text).toString('latin1');

function carriesSecret(
	secret: string | undefined,
	headers: Record<string, unknown>,
	query: IDataObject,
): boolean {
	return isAmong(sentSecrets(headers, query), digestOf(secret));
}

function places(text: string) {
	return [
		{ headers: { 'x-webhook-secret': asHeader(text) }, query: {} },
		{ headers: { authorization: `Bearer ${asHeader(text)}` }, query: {} },
		{ headers: {}, query: { secret: text } },
	];
}

describe('secret', () => {
	it('is found in each of the three places', () => {
		fc.assert(
			fc.property(words, (secret) => {
				for (const { headers, query } of places(secret)) {
					expect(carriesSecret(secret, headers, query)).toBe(true);
				}
			}),
			// The last byte of the first, and white space of the others, look like spaces to JavaScript.
			{ examples: [['𘠠'], ['\u00a0x'], ['x\u00a0'], [' x ']] },
		);
	});

	it('is never matched by another text, longer or shorter ones included', () => {
		const ascii = fc.string().filter((text) => text.trim() !== '');
		const other = fc
			.tuple(ascii, ascii)
			.chain(([secret, text]) =>
				fc.constantFrom(
					[secret, text],
					[secret, secret + text],
					[secret, secret.trim().slice(0, -1)],
				),
			);
		fc.assert(
			fc.property(other, ([secret, sent]) => {
				fc.pre(secret.trim() !== sent.trim());
				for (const { headers, query } of places(sent)) {
					expect(carriesSecret(secret, headers, query)).toBe(false);
				}
			}),
			{ numRuns: 1000 },
		);
	});

	it('does not match when there is none, whatever is sent', () => {
		for (const secret of [undefined, '', '  ']) {
			for (const sent of ['', ' ', 'undefined']) {
				for (const { headers, query } of places(sent)) {
					expect(carriesSecret(secret, headers, query)).toBe(false);
				}
			}
		}
	});

	it('is none where it is empty, so that nothing has to be compared with it', () => {
		for (const secret of [undefined, '', ' \t']) expect(digestOf(secret)).toBeUndefined();
	});

	it('is not taken from a place that is empty or holds no text', () => {
		for (const { headers, query } of [{ headers: {}, query: {} }, ...places(''), ...places(' ')]) {
			expect(sentSecrets(headers, query)).toEqual([]);
		}
		const headers = { 'x-webhook-secret': ['a'], authorization: 7 };
		expect(sentSecrets(headers, { secret: { a: 'b' } })).toEqual([]);
	});

	it('counts also beside a wrong one', () => {
		const headers = { 'x-webhook-secret': 'wrong', authorization: 'Basic right' };
		expect(carriesSecret('right', headers, { secret: 'right' })).toBe(true);
		expect(carriesSecret('right', headers, { secret: 'wrong' })).toBe(false);
	});

	it('is a bearer token in whatever case and with whatever space, and of no other scheme', () => {
		const isFound = (authorization: string) => carriesSecret('right', { authorization }, {});
		expect(['bearer right', 'BEARER \t right '].map(isFound)).toEqual([true, true]);
		const others = ['right', 'Bearerright', 'Basic right', 'Not a bearer right'];
		expect(others.map(isFound)).toEqual([false, false, false, false]);
	});

	it('passes over anything but text', () => {
		fc.assert(
			fc.property(fc.anything(), fc.anything(), (header, query) => {
				fc.pre(typeof header !== 'string' && typeof query !== 'string');
				const headers = { 'x-webhook-secret': header, authorization: header };
				expect(carriesSecret('right', headers, { secret: query as never })).toBe(false);
			}),
		);
		expect(carriesSecret('right', {}, { secret: ['right'] })).toBe(false);
	});
});
