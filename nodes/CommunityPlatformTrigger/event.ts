import type { IDataObject } from 'n8n-workflow';
import type { Entity } from '../shared/events/item';
import { MEMBER_EVENTS, fingerprint, identifyEntity } from '../shared/events/item';
import { isRecord } from '../shared/transport/answer';
import { shortened } from '../shared/transport/failure';

// Documented bodies have a handful of levels. A body with very many would overflow the stack later, in n8n or in the
// workflow.
const DEEPEST_NESTING = 100;

/** A body as the community sends it (docs/triggers.md, "What the trigger gives"). */
export interface CommunityEvent extends IDataObject {
	event: string;
	/** Documented as an integer; any value is accepted, because it only serves as a key. */
	job_id?: IDataObject[string];
	entities: Record<string, IDataObject[]>;
}

/** An object in a delivery. */
export interface DeliveredEntity extends Entity {
	/** The same in every delivery of this event about this object. */
	key: string;
}

/**
 * The body of a request, of any content type: how events are delivered is not documented, and n8n does not parse a
 * body of an unknown type.
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
 * Validates the shape of an event. Never throws.
 *
 * @returns the event, or why the body is none
 */
export function readEvent(body: unknown): { event: CommunityEvent } | { reason: string } {
	if (!isRecord(body)) return { reason: 'The body is not a JSON object' };
	const { event, entities } = body;
	if (typeof event !== 'string' || event.trim() === '') return { reason: '"event" is not text' };
	if (!isRecord(entities)) return { reason: '"entities" is not an object' };
	for (const [kind, records] of Object.entries(entities)) {
		if (!Array.isArray(records) || !records.every(isRecord)) {
			return { reason: `"entities.${shortened(kind)}" is not an array of objects` };
		}
	}
	const users = entities.user as IDataObject[] | undefined;
	if ((MEMBER_EVENTS as readonly string[]).includes(event) && !users?.length) {
		return { reason: '"entities.user" is missing or empty' };
	}
	if (isDeeperThan(DEEPEST_NESTING, body)) return { reason: 'The body is nested too deeply' };
	return { event: body as CommunityEvent };
}

/** The `job_id` of an event; null where it is neither a number nor text. */
export function jobIdOf({ job_id }: CommunityEvent): number | string | null {
	return typeof job_id === 'number' || typeof job_id === 'string' ? job_id : null;
}

/** The objects of an event, in the order of the body. */
export function entitiesOf(event: CommunityEvent): DeliveredEntity[] {
	return Object.entries(event.entities).flatMap(([kind, records]) =>
		records.map((record) => ({ kind, record, key: keyOf(event, { kind, record }) })),
	);
}

/**
 * The deduplication key of an event about an object: the same in each copy of a delivery. Without a job, a fingerprint
 * of the object takes its place, which a copy shares, while a member who joins again has other timestamps.
 *
 * @param entity the object; left out for an event without any
 */
export function keyOf(event: CommunityEvent, entity?: Entity): string {
	const job = String(jobIdOf(event) ?? '').trim() || fingerprint(entity?.record ?? event);
	return [event.event, job, ...(entity ? [identifyEntity(entity)] : [])].join(':');
}

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}
