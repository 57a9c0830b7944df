import fc from 'fast-check';
import { digestOf, isAmong, sentSecrets } from '../../nodes/CommunityPlatformTrigger/verify.ts';

const words = fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '');
/** Node's form of a header that was sent in UTF-8. */
const asHeader = (text: string) => Buffer.from(text).toString('latin1');

/** The values in each possible place of a secret. */
function places(text: string): string[][] {
	return [
		sentSecrets({ 'x-webhook-secret': asHeader(text) }, {}, '/'),
		sentSecrets({ authorization: `Bearer ${asHeader(text)}` }, {}, '/'),
		sentSecrets({}, { secret: text }, `/?secret=${encodeURIComponent(text)}`),
	];
}

describe('secret', () => {
	it('is found in each of the three places', () => {
		const property = fc.property(words, (secret) => {
			for (const sent of places(secret)) expect(isAmong(sent, digestOf(secret))).toBe(true);
		});
		// To JavaScript, the last byte of the first one and white space of the others look like spaces.
		fc.assert(property, { examples: [['𘠠'], ['\u00a0x'], ['x\u00a0'], [' x ']] });
	});

	it('is never matched by another text, even a longer or shorter one', () => {
		const ascii = fc.string().filter((text) => text.trim() !== '');
		const property = fc.property(ascii, ascii, (secret, text) => {
			for (const other of [text, secret + text, secret.trim().slice(0, -1)]) {
				if (secret.trim() === other.trim()) continue;
				for (const sent of places(other)) expect(isAmong(sent, digestOf(secret))).toBe(false);
			}
		});
		fc.assert(property, { numRuns: 500 });
	});

	it.each([undefined, '', ' \t'])('that is empty (%j) matches no text', (secret) => {
		for (const text of ['', ' ', 'undefined', 'null']) {
			for (const sent of places(text)) expect(isAmong(sent, digestOf(secret))).toBe(false);
		}
		expect(places(secret ?? '')).toEqual([[], [], []]);
	});

	it('is a bearer token in any case and with any space, but not of another scheme', () => {
		const found = (authorization: string) => sentSecrets({ authorization }, {}, '/').length > 0;
		expect(['bearer right', 'BEARER \t right '].map(found)).toEqual([true, true]);
		const others = ['right', 'Bearerright', 'Basic right', 'Not a bearer right'];
		expect(others.map(found)).toEqual([false, false, false, false]);
	});
});
