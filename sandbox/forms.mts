import type { Community } from './community.mts';
import { openApi } from './openapi.mts';
import type { Comment, Post, Reply, User } from './records.mts';

/** Turns a record into the API's answer. */
export type Form<T> = (record: T) => object;

/**
 * Returns the form that a schema of the API's description lists, with its fields in its order. Fields without a value
 * are left out (docs/api/README.md, "General response rules").
 * @param schemaName name under components/schemas
 */
export function formOf<T extends object>(schemaName: string): Form<T> {
	const fields = Object.keys(openApi.components.schemas[schemaName].properties as object);
	return (record) => {
		const answer: Record<string, unknown> = {};
		for (const field of fields) {
			const value = (record as Record<string, unknown>)[field];
			if (value !== null && value !== undefined) answer[field] = value;
		}
		return answer;
	};
}

const authorSummary = formOf<User>('AuthorSummary');

/** Like `formOf`, with the author summary in `user`. A removed author is left out. */
export function contentFormOf<T extends Post | Comment | Reply>(schemaName: string) {
	const form = formOf<T>(schemaName);
	return (record: T, community: Community): object => {
		const author = community.users.get(record.author_id);
		return { ...form(record), ...(author && { user: authorSummary(author) }) };
	};
}
