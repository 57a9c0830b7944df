import type { ReadValue } from '../../input/values';
import { badValue, filledText } from '../../input/values';

/** The name of a tag: something must remain without the hash sign, or a search for it finds every tag. */
export const tagName: ReadValue = (value, label) => {
	const name = filledText(value, label) as string;
	if (/^[\s#]*$/.test(name)) {
		throw badValue(label, 'is only a hash sign', `Give a name such as HowTo in "${label}".`);
	}
	return name;
};

/** Whether two texts are shown as the same name: users write hashtags with and without the sign. */
export function isSameName(a: unknown, b: unknown): boolean {
	return withoutSign(a) === withoutSign(b);
}

function withoutSign(name: unknown): string {
	return String(name).trim().replace(/^#/, '');
}
