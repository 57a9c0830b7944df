import type { IDataObject } from 'n8n-workflow';
import { shortened } from '../shared/failure';
import { MEMBER_EVENTS, type CommunityEvent } from '../shared/events';
import { isRecord } from '../shared/transport';

const MOST_OBJECTS = 10_000;

/**
 * Returns the JSON of a body that n8n has uncompressed, with any content type, or of the field `payload` of a form
 * (docs/decisions.md, A9). Undefined if there is none.
 */
export function bodyOf(bytes: unknown): unknown {
	if (!Buffer.isBuffer(bytes)) return undefined;
	const text = bytes.toString();
	return readJson(text) ?? readJson(new URLSearchParams(text).get('payload') ?? '');
}

function readJson(text: string): unknown {
	const json = text.replace(/^\uFEFF/, '');
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

/** Returns the event in a body, or the reason why there is none. */
export function readEvent(body: unknown): CommunityEvent | string {
	if (!isRecord(body)) return 'The body is not a JSON object';
	const { event, entities } = body;
	if (typeof event !== 'string' || event.trim() === '') return '"event" is not text';
	if (!isRecord(entities)) return '"entities" is not an object';
	const count = Object.values(entities).flat().length;
	// Far more than any community sends at once. Items of more would keep n8n from its other work.
	if (count > MOST_OBJECTS) return `It has more than ${MOST_OBJECTS} objects`;
	for (const [kind, records] of Object.entries(entities)) {
		if (Array.isArray(records) && records.every(isRecord)) continue;
		return `"entities.${shortened(kind)}" is not an array of objects`;
	}
	const users = entities.user as IDataObject[] | undefined;
	const isAboutMembers = MEMBER_EVENTS.some((name) => name === event);
	if (isAboutMembers && !users?.length) return '"entities.user" is missing or empty';
	return body as CommunityEvent;
}
