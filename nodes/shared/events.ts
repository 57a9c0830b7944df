import type { IDataObject } from 'n8n-workflow';
import { isIdentifier } from './records/identity';
import { fillEmpty } from './records/form';
import { board, comment, post, reply, role, tag, user, type RecordType } from './records/types';
import { fingerprint } from './text';

/**
 * The documented events about members; more are announced (docs/api/README.md, "Events"). `isThere`: whether the community
 * still has the member then, so that 'Confirm with API' drops an event about another one.
 */
export const MEMBER_EVENTS = new Map([
	['member.joined', { isThere: true }],
	['member.joined_waitlist', { isThere: true }],
]);

const RECORD_TYPES = new Map<string, RecordType>(
	Object.entries({ board, comment, post, reply, role, tag, user }),
);

/** An event as the community sends it (docs/triggers.md, "What you get"). */
export interface CommunityEvent extends IDataObject {
	event: string;
	/** Documented as an integer. Any value is accepted, because it is only part of a key. */
	job_id?: IDataObject[string];
	entities: Record<string, IDataObject[]>;
}

/** An object of an event, e.g. of the kind `user`. */
export interface Entity {
	kind: string;
	record: IDataObject;
	/** The `dedupe_key`: the same in every copy of the event about this object. */
	key: string;
}

/** The objects of an event, in the order of the body. */
export function entitiesOf(event: CommunityEvent): Entity[] {
	return Object.entries(event.entities).flatMap(([kind, records]) =>
		records.map((record, at) => ({ kind, record, key: dedupeKey(event, kind, record, at) })),
	);
}

/** Makes the item of one object with all its documented fields, or of the event alone. */
export function toItem(event: CommunityEvent, received_at: string, entity?: Entity): IDataObject {
	const dedupe_key = entity?.key ?? dedupeKey(event);
	const fields = { event: event.event, job_id: jobIdOf(event), received_at, dedupe_key };
	if (!entity) return fields;
	const { kind, record } = entity;
	const type = RECORD_TYPES.get(kind);
	return { [kind]: type ? fillEmpty(record, type) : record, ...fields };
}

/** The deduplication key, the same in each copy of a delivery. Without a job, it has a fingerprint of the object. */
function dedupeKey(event: CommunityEvent, kind?: string, about: IDataObject = event, at = 0) {
	const job = String(jobIdOf(event) ?? '').trim() || fingerprint(about);
	const identity = kind === undefined ? [] : identityOf(kind, about, at);
	return toKey([event.event, job, ...identity]);
}

/** The key of a member that the polling trigger found. It is always the same. */
export function memberKey(event: string, record: IDataObject): string {
	return toKey([event, ...identityOf('user', record)]);
}

// Different parts never make the same key, not even if several keys are joined with commas.
function toKey(parts: string[]): string {
	return parts.map((part) => part.replace(/[%:,]/g, encodeURIComponent)).join(':');
}

// The ID of an object (for members, the msid), or else its content and position.
function identityOf(kind: string, record: IDataObject, position = 0): string[] {
	if (kind === 'user' && isIdentifier(record.msid)) return [String(record.msid)];
	const idField = RECORD_TYPES.get(kind)?.idField ?? `${kind}_id`;
	const id = [record[idField], record.id].find(isIdentifier);
	return id === undefined ? [kind, fingerprint(record), String(position)] : [kind, String(id)];
}

// Documented as a whole number. Null if it is neither a number nor text.
function jobIdOf({ job_id }: CommunityEvent): number | string | null {
	return typeof job_id === 'number' || typeof job_id === 'string' ? job_id : null;
}
