import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isIdentifier } from './records/identity';
import { fillEmpty } from './records/output';
import type { RecordType } from './records/types';
import { board, comment, post, reply, role, tag, user } from './records/types';

/** The documented events; more are announced (docs/api/README.md, "Events"). */
export const MEMBER_EVENTS = ['member.joined', 'member.joined_waitlist'] as const;

const RECORD_TYPES = new Map<string, RecordType>(
	Object.entries({ board, comment, post, reply, role, tag, user }),
);

export interface Entity {
	/** E.g. `user`. */
	kind: string;
	record: IDataObject;
}

/** The fields behind the object in every item about an event. */
export interface Envelope extends IDataObject {
	event: string;
	/** A whole number as documented, text where the community sent that; null without a job. */
	job_id: number | string | null;
	/** ISO 8601. */
	received_at: string;
	dedupe_key: string;
}

/** An item about one object, with every documented field of it. Without an object, it is the envelope alone. */
export function toItem(envelope: Envelope, entity?: Entity): IDataObject {
	if (!entity) return { ...envelope };
	const { kind, record } = entity;
	const type = RECORD_TYPES.get(kind);
	// A kind that is added later could have the name of one of the envelope's own fields.
	const field = kind in envelope ? `${kind}_entity` : kind;
	return { [field]: type ? fillEmpty(record, type) : record, ...envelope };
}

/** Identifies an object in a `dedupe_key`: a member by the msid; without an identifier, by content and position. */
export function identifyEntity({ kind, record }: Entity, position = 0): string {
	if (kind === 'user' && isIdentifier(record.msid)) return String(record.msid);
	const idField = RECORD_TYPES.get(kind)?.idField ?? `${kind}_id`;
	const id =
		[record[idField], record.id].find(isIdentifier) ?? `${fingerprint(record)}:${position}`;
	return `${kind}:${String(id)}`;
}

/** A short text that is the same for records with the same fields and values in the same order. */
export function fingerprint(record: IDataObject): string {
	return createHash('sha256').update(JSON.stringify(record)).digest('hex').slice(0, 16);
}
