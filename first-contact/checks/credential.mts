import { retryAfterMs } from '../../nodes/shared/exchange/answer.ts';
import type { Findings } from '../finding.mts';
import type { Json } from '../forms.mts';
import { noteForm } from '../forms.mts';
import { described, isSuccess } from '../refusal.mts';
import type { Answer, Visitor } from '../visitor.mts';

/**
 * Checks that the credential works, and says whose it is: by identifier and role, not by name.
 *
 * @returns whether there is any use in asking further
 */
export async function checkCredential(visitor: Visitor, findings: Findings): Promise<boolean> {
	const note = findings.about('Credential', ['credential']);
	const answer = await visitor.get('/api/v1/users/me');
	const owner = (answer.body ?? {}) as Json;
	const { msid, role_id: role } = owner;
	if (!isSuccess(answer) || typeof msid !== 'string') {
		const found = `GET ${answer.url}: ${described(answer)}${adviceFor(answer)}`;
		note('Accepted', 'in the way', found);
		return false;
	}
	note('Accepted', 'as documented', `${answer.status}`);
	note('Whose it is', 'answered', `user ${msid}, role ${String(role)}`);
	noteForm(findings.about('Owner of the key', ['credential']), 'UserSelf', [owner]);
	return true;
}

function adviceFor({ status, headers, body }: Answer): string {
	if (status === 429 || status >= 500) {
		const waitMs = retryAfterMs({ statusCode: status, headers, body });
		return waitMs === undefined
			? '. Come again later'
			: `. Come again in ${Math.ceil(waitMs / 60_000)} minutes, as the answer asks`;
	}
	if (status === 401 || status === 403) return '. Check key and source system';
	if (status >= 300 && status < 400) return '. Give the address that it leads to';
	return '. Check the address: is it that of a community?';
}
