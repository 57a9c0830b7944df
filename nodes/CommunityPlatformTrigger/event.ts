import type { IDataObject } from 'n8n-workflow';
import type { Entity } from '../shared/events/item';
import { MEMBER_EVENTS, identify } from '../shared/events/item';
import { isRecord } from '../shared/exchange/answer';
import { shortened } from '../shared/failures/quote';

// Nothing that the API documents is nested deeper than a handful of levels; a body nested without end
// would overflow the stack of whatever walks it later, in n8n or in the workflow.
const DEEPEST_NESTING = 100;

/** A body as the community sends it (specification, "Events"). */
export interface CommunityEvent extends IDataObject {
	event: string;
	job_id: number;
	entities: Record<string, IDataObject[]>;
}

/** An object that a delivery is about. */
export interface DeliveredEntity extends Entity {
	/** The same for every delivery of this event about this object. */
	key: string;
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
	if (typeof event !== 'string' || event.trim() === '') return { reason: '"event" is not text' };
	if (!Number.isInteger(job_id)) return { reason: '"job_id" is not a whole number' };
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

/** The objects that an event is about, in the order of the body. */
export function entitiesOf({ event, job_id, entities }: CommunityEvent): DeliveredEntity[] {
	return Object.entries(entities).flatMap(([kind, records]) =>
		records.map((record) => ({
			kind,
			record,
			key: [event, job_id, identify({ kind, record })].join(':'),
		})),
	);
}

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}
