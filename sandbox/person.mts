import type { Profile } from './community.mts';
import { ApiError } from './errors.mts';

const WORD = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*\.?`;
const NAME = String.raw`(?=\p{L})${WORD}(?:\s+${WORD})*`;
const EMAIL = String.raw`[^\s<>@,;]+@[^\s<>@,;]+\.[^\s<>@,;.]+`;
const PERSON = new RegExp(`^(${NAME})?(?:\\s*<(${EMAIL})>|(?:^|\\s+)(${EMAIL}))?$`, 'u');

/**
 * Reads a name, an e-mail address or both.
 *
 * @param text e.g. `Ada Lovelace <ada@example.com>`; empty text has neither
 * @throws ApiError 400 if it is anything else
 */
export function personIn(text: string): Partial<Profile> {
	const match = PERSON.exec(text.trim());
	if (!match) {
		const forms = 'a name, an e-mail address or both, e.g. Ada Lovelace <ada@example.com>';
		throw new ApiError(400, `It is unclear who is to join: enter ${forms}.`);
	}
	const [, name, bracketed, email = bracketed] = match;
	const [first_name, ...others] = name?.split(/\s+/) ?? [];
	const last_name = others.join(' ') || null;
	return { ...(name && { first_name, last_name }), ...(email && { email }) };
}
