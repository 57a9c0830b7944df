import { UNSEEN_ENDS } from '../../nodes/shared/text.ts';
import { isLinear } from '../support/pumps.mts';
import { regularExpressions } from '../support/sentences.mts';

describe('regular expressions', () => {
	it.each([...new Set([...regularExpressions(), String(UNSEEN_ENDS)])])(
		'%s takes linear time',
		(literal) => {
			const end = literal.lastIndexOf('/');
			expect(isLinear(new RegExp(literal.slice(1, end), literal.slice(end + 1)))).toBe(true);
		},
	);

	it.each([/^\s*(.*\S)\s*:\s*(\d+)\s*$/, /\.+$/, /^bearer\s+(.+)$/i, /\[[^\]]+\]\(\S+\)/])(
		'%s would be noticed',
		(quadratic) => {
			expect(isLinear(quadratic)).toBe(false);
		},
	);
});
