import type { Findings } from '../finding.mts';
import type { Json } from '../forms.mts';
import type { Visitor } from '../visitor.mts';
import { checkRecord } from './record.mts';

/** Identifiers of contents, which the API does not list. */
export interface Contents {
	post?: string;
	comment?: string;
	reply?: string;
}

const KINDS = [
	{ kind: 'post', part: 'Post', path: '/api/v1/posts', form: 'Post' },
	{ kind: 'comment', part: 'Comment', path: '/api/v1/comments', form: 'Comment' },
	{ kind: 'reply', part: 'Reply', path: '/api/v1/replies', form: 'Reply' },
] as const;

/**
 * Checks a post, a comment and a reply.
 *
 * @param boards from the listing: without a post to read, one that is pinned on a board is
 * @returns what could be read
 */
export async function checkContents(
	visitor: Visitor,
	findings: Findings,
	boards: Json[],
	contents: Contents,
): Promise<Json[]> {
	const pinned = boards.flatMap(({ pinned_posts: posts }) => (Array.isArray(posts) ? posts : []));
	const known: Contents = {
		post: pinned[0] === undefined ? undefined : String(pinned[0]),
		...contents,
	};
	const read: Json[] = [];
	for (const { kind, part, path, form } of KINDS) {
		const id = known[kind];
		if (id === undefined) {
			const note = findings.about(part, []);
			note('Read by its identifier', 'not checked', `name one: --${kind} <${kind}_id>`);
			continue;
		}
		const record = await checkRecord(visitor, findings, {
			...{ part, path: `${path}/${encodeURIComponent(id)}`, id, idField: `${kind}_id`, form },
			uses: ['records', 'updates'],
		});
		if (record) read.push(record);
	}
	return read;
}
