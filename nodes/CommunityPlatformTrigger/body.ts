import { jsonParse, type IDataObject } from 'n8n-workflow';
import { shortened } from '../shared/failure';
import { MEMBER_EVENTS, type CommunityEvent } from '../shared/events';
import { isRecord } from '../shared/transport';

/** Returns the JSON of a body with any content type (docs/decisions.md, A9). Null if there is none. */
export function bodyOf(bytes: unknown): unknown {
	if (!Buffer.isBuffer(bytes)) return undefined;
	return jsonParse<unknown>(bytes.toString().replace(/^\uFEFF/, ''), { fallbackValue: null });
}

/** Returns the event in a body, or the reason why there is none. */
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
	const isAboutMembers = MEMBER_EVENTS.has(event);
	if (isAboutMembers && !users?.length) return '"entities.user" is missing or empty';
	return body as CommunityEvent;
}
