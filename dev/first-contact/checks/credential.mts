import type { Findings } from '../finding.mts';
import type { Json } from '../forms.mts';
import { noteForm } from '../forms.mts';
import { adviceFor, described, isSuccess } from '../refusal.mts';
import { shownMsid } from '../shown.mts';
import type { Visitor } from '../visitor.mts';

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
	note(
		'Whose it is',
		'answered',
		`user ${shownMsid(msid)}, role ${/^\d+$/.test(String(role)) ? String(role) : '(no number)'}`,
	);
	noteForm(findings.about('Owner of the key', ['records']), 'UserSelf', [owner]);
	return true;
}
