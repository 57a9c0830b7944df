import type { IDataObject } from 'n8n-workflow';
import type { Entity } from '../shared/events';
import { MEMBER_EVENTS, fingerprint, identifyEntity } from '../shared/events';
import { isRecord, shortened } from '../shared/transport';

// In a JSON document, numbers that may have to be text, and what looks like one in a text.
const LONG_NUMBER = /-?\d[\d.eE+-]{15,}/g;
const LONG_INTEGER = /^-?\d{16,}$/;

/** A body as the community sends it (docs/triggers.md, "What the trigger gives"). */
export interface CommunityEvent extends IDataObject {
	event: string;
	/** Documented as an integer; any value is accepted, because it only serves as a key. */
	job_id?: IDataObject[string];
	entities: Record<string, IDataObject[]>;
}

export interface DeliveredEntity extends Entity {
	/** The same in every delivery of this event about this object. */
	key: string;
}

/**
 * The JSON in a body that n8n's parser has uncompressed, whatever its content type, or in the field `payload` of a form
 * (docs/decisions.md, A9); undefined if there is none. Integers beyond 2^53 are text, so that they keep their digits.
 */
export function bodyOf(bytes: unknown): unknown {
	if (!Buffer.isBuffer(bytes)) return undefined;
	const text = bytes.toString();
	return readJson(text) ?? readJson(new URLSearchParams(text).get('payload') ?? '');
}

function readJson(text: string): unknown {
	const json = text.replace(/^\uFEFF/, '');
	try {
		return JSON.parse(withDigits(json));
	} catch {
		return undefined;
	}
}

function withDigits(json: string): string {
	let isInText = false;
	let end = 0;
	return json.replace(LONG_NUMBER, (number, at: number) => {
		const marks = json.slice(end, at).replace(/\\./gs, '').split('"').length - 1;
		if (marks % 2 === 1) isInText = !isInText;
		end = at;
		const isRounded = LONG_INTEGER.test(number) && !Number.isSafeInteger(Number(number));
		return isRounded && !isInText ? `"${number}"` : number;
	});
}

/** An event, or why a body is none. */
export function readEvent(body: unknown): CommunityEvent | string {
	if (!isRecord(body)) return 'The body is not a JSON object';
	const { event, entities } = body;
	if (typeof event !== 'string' || event.trim() === '') return '"event" is not text';
	if (!isRecord(entities)) return '"entities" is not an object';
	for (const [kind, records] of Object.entries(entities)) {
		if (Array.isArray(records) && records.every(isRecord)) continue;
		return `"entities.${shortened(kind)}" is not an array of objects`;
	}
	const users = entities.user as IDataObject[] | undefined;
	const isAboutMembers = MEMBER_EVENTS.some((name) => name === event);
	if (isAboutMembers && !users?.length) return '"entities.user" is missing or empty';
	return body as CommunityEvent;
}

/** The `job_id` of an event; null where it is neither a number nor text. */
export function jobIdOf({ job_id }: CommunityEvent): number | string | null {
	return typeof job_id === 'number' || typeof job_id === 'string' ? job_id : null;
}

/** The objects of an event, in the order of the body. */
export function entitiesOf(event: CommunityEvent): DeliveredEntity[] {
	return Object.entries(event.entities).flatMap(([kind, records]) =>
		records.map((record, at) => ({ kind, record, key: keyOf(event, { kind, record }, at) })),
	);
}

/**
 * The deduplication key: the same in each copy of a delivery. Without a job, a fingerprint of the object takes its
 * place: a copy shares it, while a member who joins again has other timestamps. `at`: its position in its kind.
 */
export function keyOf(event: CommunityEvent, entity?: Entity, at?: number): string {
	const job = String(jobIdOf(event) ?? '').trim() || fingerprint(entity?.record ?? event);
	return [event.event, job, ...(entity ? [identifyEntity(entity, at)] : [])].join(':');
}
