import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../shared/exchange/answer';
import { fillEmpty } from '../shared/records/output';
import type { RecordType } from '../shared/records/types';
import { board, comment, post, reply, role, tag, user } from '../shared/records/types';

/** The events of the specification, section "Events"; more are announced. */
export const MEMBER_EVENTS = ['member.joined', 'member.joined_waitlist'] as const;

const RECORD_TYPES = new Map<string, RecordType>(
	Object.entries({ board, comment, post, reply, role, tag, user }),
);

// Nothing that the API documents is nested deeper than a handful of levels; a body nested without end
// would overflow the stack of whatever walks it later, in n8n or in the workflow.
const DEEPEST_NESTING = 100;

/** A body as the community sends it (specification, "Events"). */
export interface CommunityEvent extends IDataObject {
	event: string;
	job_id: number;
	entities: Record<string, IDataObject[]>;
}

/** One of the objects that an event is about. */
export interface Entity {
	/** E.g. `user`. */
	kind: string;
	record: IDataObject;
	/** The same for every delivery of this event about this object. */
	key: string;
}

/** What stands beside the object in every item. */
export interface Envelope extends IDataObject {
	event: string;
	job_id: number;
	/** ISO 8601. */
	received_at: string;
	dedupe_key: string;
}

/**
 * The body of a request, whatever content type it came with: how events are delivered is not
 * documented, and n8n leaves a body unparsed whose type it does not know.
 */
export function bodyOf(request: { body?: unknown; rawBody?: unknown }): unknown {
	const { body, rawBody } = request;
	const unparsed = body === undefined && Buffer.isBuffer(rawBody) ? rawBody.toString() : body;
	if (typeof unparsed !== 'string') return unparsed;
	try {
		return JSON.parse(unparsed);
	} catch {
		return undefined;
	}
}

/**
 * Checks that a body has the shape of an event. Never throws, whatever is given.
 *
 * @returns the event, or in a few words why it is none
 */
export function readEvent(body: unknown): { event: CommunityEvent } | { reason: string } {
	if (!isRecord(body)) return { reason: 'The body is not a JSON object' };
	const { event, job_id, entities } = body;
	if (typeof event !== 'string' || event.trim() === '') return { reason: '"event" is not a text' };
	if (!Number.isInteger(job_id)) return { reason: '"job_id" is not a whole number' };
	if (!isRecord(entities)) return { reason: '"entities" is not an object' };
	for (const [kind, records] of Object.entries(entities)) {
		if (!Array.isArray(records) || !records.every(isRecord)) {
			return { reason: `"entities.${kind.slice(0, 50)}" is not an array of objects` };
		}
	}
	const users = entities.user as IDataObject[] | undefined;
	if ((MEMBER_EVENTS as readonly string[]).includes(event) && !users?.length) {
		return { reason: '"entities.user" is missing or empty' };
	}
	if (isDeeperThan(DEEPEST_NESTING, body)) return { reason: 'The body is nested too deeply' };
	return { event: body as CommunityEvent };
}

/** The objects that an event is about, in the order of the body. */
export function entitiesOf({ event, job_id, entities }: CommunityEvent): Entity[] {
	return Object.entries(entities).flatMap(([kind, records]) =>
		records.map((record) => ({
			kind,
			record,
			key: [event, job_id, identify(kind, record)].join(':'),
		})),
	);
}

/**
 * An item about one object, with every documented field of it.
 *
 * @param envelope of the event
 * @param entity what it is about; without one, the envelope is all there is
 */
export function toItem(envelope: Envelope, entity?: Entity): IDataObject {
	if (!entity) return { ...envelope };
	const { kind, record } = entity;
	const type = RECORD_TYPES.get(kind);
	// An announced kind could bear the name of one of the envelope's own fields.
	const field = kind in envelope ? `${kind}_entity` : kind;
	return { ...envelope, [field]: type ? fillEmpty(record, type) : record };
}

// Members keep their msid as it is, as the one identifier that is documented to name a user everywhere.
function identify(kind: string, record: IDataObject): string {
	if (kind === 'user' && isId(record.msid)) return String(record.msid);
	const idField = RECORD_TYPES.get(kind)?.idField ?? `${kind}_id`;
	const id = [record[idField], record.id].find(isId);
	return `${kind}:${id === undefined ? fingerprint(record) : String(id)}`;
}

function isId(value: unknown): boolean {
	return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function fingerprint(record: IDataObject): string {
	return createHash('sha256').update(JSON.stringify(record)).digest('hex').slice(0, 16);
}

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}
