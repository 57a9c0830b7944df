import type { IDataObject } from 'n8n-workflow';
import { Failure, shortened } from '../../../shared/transport/failure';
import { msidOrReference } from '../../input/identifiers';
import { locatorValue } from '../../input/locator';
import type { IdOrReference } from '../../input/reference';
import { whenKnown } from '../../input/reference';
import { cellOf, rowsOf } from '../../input/rows';
import type { ReadValue } from '../../input/values';
import { isMap, listOf, oneOf } from '../../input/values';

/**
 * Reads members into the API's map member_changes.
 *
 * @param hasAccess the map's value for each of them
 */
export function memberChanges(hasAccess: boolean): ReadValue {
	return (value, label) =>
		whenKnown(listOf(memberOfText)(value, label) as IdOrReference[], (msids) =>
			Object.fromEntries(msids.map((msid) => [msid, hasAccess])),
		);
}

const readAccess = oneOf([
	{ name: 'Add', value: 'add' },
	{ name: 'Remove', value: 'remove' },
]);

/** Members as rows of the editor, each with the access to grant or to revoke. */
export const memberRows: ReadValue = (value, label) => {
	const rows = rowsOf(
		value,
		label,
		'members',
		'{ "members": [{ "userId": "42.a1b2c3", "access": "add" }] }',
	);
	const access = rows.map((row) => {
		const { access: given = 'add' } = isMap(row) ? row : {};
		return readAccess(given, 'Access') === 'add';
	});
	const members = rows.map((row) =>
		msidOrReference(locatorValue(cellOf(row, 'userId')) ?? '', 'User'),
	);
	return whenKnown(members, (msids) => {
		const changes: IDataObject = {};
		for (const [index, msid] of msids.entries()) {
			if (changes[msid] === !access[index]) throw addedAndRemoved(msid, label);
			changes[msid] = access[index];
		}
		return changes;
	});
};

/** The Failure for a member whose access is both granted and revoked. */
export function addedAndRemoved(msid: string, label: string): Failure {
	return new Failure(
		`The member ${shortened(msid)} is both added and removed`,
		`Name each member in one place only: "${label}" has one that is named twice.`,
	);
}

function memberOfText(value: unknown, label: string): IdOrReference {
	return msidOrReference(value, label, `Give msids in "${label}", e.g. 42.a1b2c3, 43.d4e5f6.`);
}
